-- Finds how tonight changed the missing deliveries: each as it counted before and as it counts now. Uncertain ones do
-- not count.
--
-- Takes          changed_missing_delivery: the rows that tonight has removed from carried_missing_delivery (is_before)
--                and inserted into it; tieout.cause: the cause of every change of tonight, if the run has one.
-- Leaves behind  last_done: the night that made the relations as tonight found them, if something is published;
--                published_as_of, closed_as_of: the published months and the closed periods, and the as-of of what was
--                published or closed;
--                restated_file: the files that were loaded since that night; is_returned: the file was withdrawn and
--                counts again;
--                restated_product: the products about which such a file has catalogue facts;
--                uncertain_change: those that were uncertain, or are uncertain now;
--                missing_change: the changes, in the columns of restated_change.sql.

create temporary table last_done on commit drop as
select
    earlier.run_id,
    earlier.settings ->> 'time_zone' as time_zone,
    nullif(current_setting('tieout.cause', true), '') as cause_of_all,
    settings_of_judgement(earlier.settings) <> settings_of_judgement(own.settings)
    or earlier.program_version <> own.program_version as is_set_otherwise
from night
inner join run as own on night.run_id = own.run_id
inner join run as earlier
    on earlier.run_id = (
        select max(done.run_id)
        from run as done
        where done.outcome = 'done' and not done.is_of_past_day and done.run_id < own.run_id
    )
where exists (select from standing_month);

create temporary table published_as_of on commit drop as
select distinct on (standing_month.month)
    standing_month.month,
    run.as_of
from standing_month
inner join run on standing_month.run_id = run.run_id
order by standing_month.month, standing_month.run_id desc;

-- A closed period can end within a month that no edition stands for.
create temporary table closed_as_of on commit drop as
select
    period_closing.first_day,
    period_closing.last_day,
    run.as_of
from period_closing
inner join run on period_closing.run_id = run.run_id
where period_closing.reopened_at is null;

create temporary table restated_file on commit drop as
select
    input_file.file_id,
    -- A file that was withdrawn before it arrived has never counted.
    exists (
        select
        from withdrawal
        inner join run on run.started_at between withdrawal.withdrawn_at and withdrawal.undone_at
        inner join restated_entry on run.run_id = restated_entry.run_id and restated_entry.cause = 'file_withdrawn'
        where withdrawal.sha256 = input_file.sha256
    ) as is_returned
from input_file
cross join last_done
where input_file.run_id > last_done.run_id;

create temporary table restated_product on commit drop as
select
    catalogue_fact.product_id,
    bool_or(restated_file.is_returned) as is_returned
from catalogue_fact
inner join restated_file on catalogue_fact.file_id = restated_file.file_id
group by catalogue_fact.product_id;

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
    obligation_key
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
