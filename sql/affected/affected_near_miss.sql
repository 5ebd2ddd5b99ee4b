-- Updates the possible matches of purchases that are not affected, if tonight's deliveries or their transactions
-- may have changed them.
--
-- These are purchases of the same account and product within a day of a delivery, and purchases whose id is another
-- spelling of a delivery's id. They share no name with the deliveries, so each is looked up separately.
--
-- Takes  delivery_record, store_transaction: the affected part of them (affected_ledger.sql); taken_delivery: the
--        deliveries that the load removed (affected_seed.sql).
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

-- Day by day: then each purchase is found at most three times, even if one account has thousands of deliveries.
served as (

    select distinct
        account_id,
        product_id,
        utc_day(occurred_at) as day
    from delivered
    where account_id is not null

),

changed as (

    select
        missing.environment,
        missing.obligation_key
    from served
    inner join carried_missing_delivery as missing
        on served.account_id = missing.account_id
        and served.product_id = missing.product_id
        and missing.purchased_at >= served.day - near_miss_span()
        and missing.purchased_at < served.day + interval '24 hours' + near_miss_span()
    union
    select
        missing.environment,
        missing.obligation_key
    from (select distinct plain_spelling(transaction_id) as id from delivered) as spelled
    inner join carried_missing_delivery as missing on spelled.id = plain_spelling(missing.transaction_id)

),

nearest as materialized (

    select
        missing.environment,
        missing.obligation_key,
        near_miss.delivery_id,
        near_miss.differs
    from changed
    inner join carried_missing_delivery as missing using (environment, obligation_key)
    cross join night
    left join lateral near_misses(
        missing.environment,
        missing.transaction_id,
        missing.product_id,
        missing.account_id,
        missing.purchased_at,
        night.as_of
    ) as near_miss
        on near_miss.place = 1

)

update carried_missing_delivery
set
    near_miss_delivery_id = nearest.delivery_id,
    near_miss_differs = nearest.differs
from nearest
where
    carried_missing_delivery.environment = nearest.environment
    and carried_missing_delivery.obligation_key = nearest.obligation_key
    and (carried_missing_delivery.near_miss_delivery_id, carried_missing_delivery.near_miss_differs)
    is distinct from (nearest.delivery_id, nearest.differs)
