-- Finds the deliveries that are compared with missing deliveries, to find possible matches
-- (carried_possible_match.sql).
--
-- One search serves all missing deliveries. It looks up rows of the whole ledger by inner joins with small tables, even
-- while a night judges only a part. Of an account, only the deliveries that are nearest in time are compared
-- (possible_match_deliveries): thousands of customers can share an account and a second.
--
-- Takes          missed: the missing deliveries, with columns of carried_missing_delivery.
-- Leaves behind  sought: the missing deliveries; named_record: the deliveries; candidate: which of them are compared
--                with each other.

create temporary table sought on commit drop as
with

spelled as (

    select
        missed.environment,
        missed.obligation_key,
        spelling.id
    from missed
    cross join unnest(missed.transaction_id || spellings(missed.transaction_id)) as spelling (id)

),

-- The purchase's transaction under all spellings that a record ever had.
named as (

    select
        spelled.environment,
        spelled.obligation_key,
        array_remove(
            array_agg(distinct coalesce(decimal_number(spelled.id), odd_identifier.identifier_number)), null
        ) as transaction_numbers
    from spelled
    left join odd_identifier on spelled.id = odd_identifier.identifier
    group by spelled.environment, spelled.obligation_key

)

select
    row_number() over () as sought_number,
    missed.environment,
    missed.obligation_key,
    missed.transaction_id,
    identifier_number(missed.transaction_id) as transaction_number,
    named.transaction_numbers,
    recorded_product.product_number,
    missed.account_id,
    missed.purchased_at,
    missed.purchased_at - possible_match_span() as begins_at,
    least(missed.purchased_at + possible_match_span(), night.as_of) as ends_at
from missed
cross join night
inner join named using (environment, obligation_key)
inner join recorded_product on missed.product_id = recorded_product.product_id;

analyze sought;

create temporary table sought_transaction on commit drop as
select distinct named.transaction_number
from sought
cross join unnest(sought.transaction_numbers) as named (transaction_number);

analyze sought_transaction;

-- The times for which the deliveries of an account and product are read. Times that overlap are one, so that each
-- delivery is read once.
create temporary table sought_time on commit drop as
select
    account.account_id,
    account.product_number,
    lower(time.span) as begins_at,
    upper(time.span) as ends_at
from (
    select
        account_id,
        product_number,
        range_agg(tstzrange(begins_at, ends_at, '[]')) as spans
    from sought
    where account_id is not null
    group by account_id, product_number
) as account
cross join unnest(account.spans) as time (span);

analyze sought_time;

create temporary table named_delivery on commit drop as
select delivery.*
from sought_transaction
inner join tieout.stored_delivery as delivery on sought_transaction.transaction_number = delivery.transaction_number
cross join night
where delivery.status_code = status_code('delivered') and delivery.occurred_at <= night.as_of;

-- The hashes are those of the index stored_delivery_account.
create temporary table account_delivery on commit drop as
select delivery.*
from sought_time
inner join tieout.stored_delivery as delivery
    on hashtext(sought_time.account_id) = hashtext(delivery.account_id)
    and hashtext(status_code('delivered') || sought_time.product_number::text)
    = hashtext(delivery.status_code || delivery.product_number::text)
    and sought_time.account_id = delivery.account_id
    and sought_time.product_number = delivery.product_number
    and delivery.occurred_at between sought_time.begins_at and sought_time.ends_at
where delivery.status_code = status_code('delivered');

create temporary table near_delivery on commit drop as
select * from named_delivery
union
select * from account_delivery;

create index on near_delivery (transaction_number);

create index on near_delivery (account_id, product_number, occurred_at, content_hash);

analyze near_delivery;

create temporary table candidate on commit drop as
select
    sought.sought_number,
    delivery.content_hash,
    true as is_named
from sought
cross join unnest(sought.transaction_numbers) as named (transaction_number)
inner join near_delivery as delivery on named.transaction_number = delivery.transaction_number
union all
select
    sought.sought_number,
    nearest.content_hash,
    false
from sought
cross join lateral (
    (
        select later.content_hash
        from near_delivery as later
        where
            later.account_id = sought.account_id
            and later.product_number = sought.product_number
            and later.occurred_at >= sought.purchased_at
            and later.occurred_at <= sought.ends_at
            and later.transaction_number <> all(sought.transaction_numbers)
        order by later.occurred_at, later.content_hash
        limit possible_match_deliveries()
    )
    union all
    (
        select earlier.content_hash
        from near_delivery as earlier
        where
            earlier.account_id = sought.account_id
            and earlier.product_number = sought.product_number
            and earlier.occurred_at < sought.purchased_at
            and earlier.occurred_at >= sought.begins_at
            and earlier.transaction_number <> all(sought.transaction_numbers)
        order by earlier.occurred_at desc, earlier.content_hash desc
        limit possible_match_deliveries()
    )
) as nearest;

analyze candidate;

create temporary table named_record on commit drop as
select near_delivery.*
from near_delivery
where content_hash in (select content_hash from candidate);

drop table near_delivery, sought_transaction, sought_time, named_delivery, account_delivery
