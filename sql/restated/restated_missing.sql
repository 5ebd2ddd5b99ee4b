-- Finds how tonight changed the missing deliveries: each as it counted before and as it counts now. Uncertain ones do
-- not count.
--
-- Takes          changed_missing_delivery: the rows that tonight has removed from carried_missing_delivery (is_before)
--                and inserted into it; last_done (restated_start.sql).
-- Leaves behind  uncertain_change: those that were uncertain, or are uncertain now;
--                missing_change: the changes, in the columns of restated_change.sql.

create temporary table uncertain_change on commit drop as
select distinct environment, obligation_key
from changed_missing_delivery
where reason = 'no_records' and exists (select from last_done);

create temporary table missing_change on commit drop as
with

missing as materialized (

    select
        is_before,
        not is_before as is_after,
        environment,
        obligation_key,
        transaction_id,
        purchased_at,
        due_at,
        product_id,
        currency,
        price_source,
        quantity,
        amount
    from changed_missing_delivery
    where reason <> 'no_records'
    union all
    -- In another time zone a purchase can be of another day, although its row is the same.
    select
        true,
        true,
        carried.environment,
        carried.obligation_key,
        carried.transaction_id,
        carried.purchased_at,
        carried.due_at,
        carried.product_id,
        carried.currency,
        carried.price_source,
        carried.quantity,
        carried.amount
    from carried_missing_delivery as carried
    cross join last_done
    cross join night
    where
        last_done.time_zone <> night.time_zone
        and carried.reason <> 'no_records'
        and not exists (
            select
            from changed_missing_delivery as changed
            where changed.environment = carried.environment and changed.obligation_key = carried.obligation_key
        )

),

before as (

    select
        missing.*,
        (missing.purchased_at at time zone last_done.time_zone)::date as day
    from missing
    cross join last_done
    where missing.is_before

),

after as (

    select
        missing.*,
        (missing.purchased_at at time zone night.time_zone)::date as day
    from missing
    cross join night
    where missing.is_after and exists (select from last_done)

)

select
    environment_code(environment) as environment_code,
    identifier_number(coalesce(after.transaction_id, before.transaction_id)) as transaction_number,
    environment,
    coalesce(after.transaction_id, before.transaction_id) as transaction_id,
    -- Another purchase can stand for what is owed now.
    before.transaction_id as transaction_before,
    'missing' as kind,
    before.day as day_before,
    before.product_id as product_before,
    before.currency as currency_before,
    before.price_source as source_before,
    before.quantity as units_before,
    before.amount as amount_before,
    after.day,
    after.due_at as at,
    after.product_id,
    after.currency,
    after.price_source,
    after.quantity as units,
    after.amount,
    obligation_key,
    not (
        (
            before.transaction_id, before.purchased_at, before.product_id, before.currency, before.price_source,
            before.quantity, before.amount
        ) is distinct from (
            after.transaction_id, after.purchased_at, after.product_id, after.currency, after.price_source,
            after.quantity, after.amount
        )
    ) as is_moved_by_zone
from before
full join after using (environment, obligation_key)
where
    (
        before.transaction_id, before.day, before.product_id, before.currency, before.price_source,
        before.quantity, before.amount
    ) is distinct from (
        after.transaction_id, after.day, after.product_id, after.currency, after.price_source, after.quantity,
        after.amount
    )
