-- Inserts how tonight changed what was published about ended months: each transaction as it counted before and as it
-- counts now, with the cause.
--
-- What happened after the as-of of the published edition is `after_as_of`. Otherwise a refund, a reversal and a
-- delivery are causes themselves. A transaction about which nothing was loaded has changed because of the settings, the
-- program or the catalogue. restatement.csv adds these rows up.
--
-- Takes  changed_entry, changed_missing_delivery: the rows that tonight has removed from the carried relations of these
--        names (is_before) and inserted into them; tieout.cause: the cause of every change of tonight, if the run has
--        one
insert into restated_entry (
    run_id, environment, transaction_id, kind, is_added, day, product_id, currency, price_source, cause, units, amount
)
with

-- The night that made the relations as tonight found them.
last as materialized (

    select
        earlier.run_id,
        earlier.settings ->> 'time_zone' as time_zone,
        nullif(current_setting('tieout.cause', true), '') as cause_of_all,
        settings_of_judgement(earlier.settings) <> settings_of_judgement(own.settings)
        or earlier.program_version <> own.program_version as is_set_otherwise,
        exists (
            select from input_file where input_file.run_id = own.run_id and input_file.folder = 'catalog'
        ) as has_catalogue
    from night
    inner join run as own on night.run_id = own.run_id
    inner join run as earlier
        on earlier.run_id = (
            select max(done.run_id)
            from run as done
            where done.outcome = 'done' and not done.is_of_past_day and done.run_id < own.run_id
        )
    where exists (select from published_month)

),

published as materialized (

    select distinct on (published_month.month)
        published_month.month,
        run.as_of
    from published_month
    inner join run on published_month.run_id = run.run_id
    order by published_month.month, published_month.run_id desc

),

-- A closed period can end within a month that no edition stands for.
closed as materialized (

    select
        period_closing.first_day,
        period_closing.last_day,
        run.as_of
    from period_closing
    inner join run on period_closing.run_id = run.run_id
    where period_closing.reopened_at is null

),

change as materialized (

    select
        environment_code,
        transaction_number,
        environment_name(environment_code) as environment,
        identifier_text(transaction_number) as transaction_id,
        identifier_text(transaction_number) as transaction_before,
        entry_kind_name(kind_code) as kind,
        before.day as day_before,
        (
            select recorded_product.product_id
            from recorded_product
            where recorded_product.product_number = before.product_number
        ) as product_before,
        before.currency as currency_before,
        price_source_name(before.price_source_code) as source_before,
        before.units as units_before,
        before.amount as amount_before,
        after.day,
        after.at,
        (
            select recorded_product.product_id
            from recorded_product
            where recorded_product.product_number = after.product_number
        ) as product_id,
        after.currency,
        price_source_name(after.price_source_code) as price_source,
        after.units,
        after.amount
    from (select * from changed_entry where is_before) as before
    full join (select * from changed_entry where not is_before) as after
        using (environment_code, transaction_number, kind_code)
    where
        exists (select from last)
        and (before.day, before.product_number, before.currency, before.price_source_code, before.units, before.amount)
        is distinct from (
            after.day, after.product_number, after.currency, after.price_source_code, after.units, after.amount
        )
    union all
    select
        environment_code(environment),
        identifier_number(coalesce(after.transaction_id, before.transaction_id)),
        environment,
        coalesce(after.transaction_id, before.transaction_id),
        -- Another purchase can stand for what is owed now.
        before.transaction_id,
        'missing',
        before.day,
        before.product_id,
        before.currency,
        before.price_source,
        before.quantity,
        before.amount,
        after.day,
        after.due_at,
        after.product_id,
        after.currency,
        after.price_source,
        after.quantity,
        after.amount
    from (
        select
            missing.*,
            (missing.purchased_at at time zone last.time_zone)::date as day
        from changed_missing_delivery as missing
        cross join last
        where missing.is_before and missing.reason <> 'no_records'
    ) as before
    full join (
        select
            missing.*,
            (missing.purchased_at at time zone night.time_zone)::date as day
        from changed_missing_delivery as missing
        cross join night
        where not missing.is_before and missing.reason <> 'no_records'
    ) as after using (environment, obligation_key)
    where
        exists (select from last)
        and (
            before.transaction_id, before.day, before.product_id, before.currency, before.price_source,
            before.quantity, before.amount
        ) is distinct from (
            after.transaction_id, after.day, after.product_id, after.currency, after.price_source, after.quantity,
            after.amount
        )

),

row_of_change as (

    select
        change.*,
        part.*,
        coalesce(closed.as_of, published.as_of) as as_of
    from change
    cross join lateral (
        values
        (
            false, change.transaction_before, change.day_before, change.product_before, change.currency_before,
            change.source_before, -change.units_before, -change.amount_before
        ),
        (
            true, change.transaction_id, change.day, change.product_id, change.currency, change.price_source,
            change.units, change.amount
        )
    ) as part (is_added, its_transaction, its_day, its_product, its_currency, its_source, its_units, its_amount)
    left join published on date_trunc('month', part.its_day::timestamp)::date = published.month
    left join closed on part.its_day between closed.first_day and closed.last_day
    where published.month is not null or closed.as_of is not null

),

new_file as materialized (

    select input_file.file_id
    from input_file
    cross join last
    where input_file.run_id > last.run_id

),

-- The transactions about which something was loaded.
told as materialized (

    select distinct
        changed.environment,
        changed.transaction_id
    from (
        select distinct
            environment,
            environment_code,
            transaction_id,
            transaction_number
        from row_of_change
    ) as changed
    inner join evidence using (environment_code, transaction_number)
    inner join new_file on evidence.file_id = new_file.file_id

),

known as (

    select
        row_of_change.*,
        told.transaction_id is not null as has_news,
        last.is_set_otherwise,
        last.has_catalogue,
        last.cause_of_all
    from row_of_change
    cross join last
    left join told
        on row_of_change.environment = told.environment and row_of_change.transaction_id = told.transaction_id

)

select
    night.run_id,
    known.environment,
    known.its_transaction,
    known.kind,
    known.is_added,
    known.its_day,
    known.its_product,
    coalesce(known.its_currency, ''),
    known.its_source,
    case
        when known.cause_of_all is not null then known.cause_of_all
        when known.day_before is null and known.at >= known.as_of then 'after_as_of'
        when known.is_set_otherwise and not known.has_news then 'settings_changed'
        when known.day_before is not null and known.day is not null
            then
                case
                    when known.has_catalogue and not known.has_news then 'catalogue_changed' else 'evidence_arrived'
                end
        when known.kind in ('refunded', 'upgraded')
            then case when known.day is null then 'refund_reversed' else 'refunded' end
        when known.kind = 'sold' or known.has_news and known.day is not null then 'evidence_arrived'
        when
            known.has_news
            and exists (
                select
                from carried_entry
                where
                    carried_entry.environment_code = known.environment_code
                    and carried_entry.transaction_number = known.transaction_number
                    and carried_entry.kind_code = entry_kind_code('refunded')
            )
            then 'refunded'
        else 'log_arrived'
    end,
    known.its_units,
    known.its_amount
from known
cross join night
