-- Returns the missing deliveries whose possible matches tonight may have changed: those that are new or different, and
-- those that tonight's deliveries or their transactions can change.
--
-- The latter are purchases of the same account and product within a day of a delivery, and purchases whose id is
-- another spelling of a delivery's id. They share no name with the deliveries, so each is looked up separately.
--
-- Takes  changed_missing_delivery: the rows that tonight has removed and inserted; delivery_record: the affected
--        deliveries (affected_ledger.sql); taken_delivery: the deliveries that the load removed (affected_seed.sql).
with

delivered as (

    select
        account_id,
        product_id,
        transaction_id,
        occurred_at
    from delivery_record
    where status = 'delivered'
    union all
    select
        account_id,
        product_id,
        transaction_id,
        occurred_at
    from taken_delivery
    where status = 'delivered'

),

-- The deliveries are grouped by day. Thus each purchase is found at most three times, even if one account has
-- thousands of deliveries.
served as (

    select distinct
        account_id,
        product_id,
        utc_day(occurred_at) as day
    from delivered
    -- Most deliveries are of accounts for which nothing is missing.
    where (account_id, product_id) in (select account_id, product_id from carried_missing_delivery)

),

changed as (

    select
        environment,
        obligation_key
    from changed_missing_delivery
    union
    select
        missing.environment,
        missing.obligation_key
    from served
    inner join carried_missing_delivery as missing
        on served.account_id = missing.account_id
        and served.product_id = missing.product_id
        and missing.purchased_at >= served.day - possible_match_span()
        and missing.purchased_at < served.day + interval '24 hours' + possible_match_span()
    union
    select
        missing.environment,
        missing.obligation_key
    from (select distinct plain_spelling(transaction_id) as id from delivered) as spelled
    inner join carried_missing_delivery as missing on spelled.id = plain_spelling(missing.transaction_id)

)

select missing.*
from changed
inner join carried_missing_delivery as missing using (environment, obligation_key)
