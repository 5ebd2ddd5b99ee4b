-- Inserts how tonight changed what was published about ended months: each transaction as it counted before and as it
-- counts now, with the cause.
--
-- What a file says that was withdrawn and counts again is `file_withdrawn`. What happened after the as-of of the
-- published edition is `after_as_of`. Otherwise the cause is what was loaded about the purchase: of a missing delivery
-- first the log, then a refund or its reversal, then other evidence. Without any, it is a new catalogue fact about the
-- product, and then another setting or version. What is missing for none of these reasons depends on other records of
-- the log. restatement.csv adds these rows up.
--
-- Takes  changed_entry: the rows that tonight has removed from carried_entry (is_before) and inserted into it;
--        the tables of restated_missing.sql; member, attempt: the judged part
insert into restated_entry (
    run_id, environment, transaction_id, kind, is_added, day, product_id, currency, price_source, cause, units, amount
)
with

-- The few transactions with an entry of a published or closed day, or of a missing delivery.
restated as materialized (

    select transaction_number
    from changed_entry
    where
        day < (select max(month) + interval '1 month' from published_as_of)
        or day <= (select max(last_day) from closed_as_of)
    union
    select member.transaction_number
    from missing_change
    inner join member using (environment, obligation_key)
    where member.transaction_number is not null

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
        after.amount,
        null as obligation_key
    from (select * from changed_entry where is_before) as before
    full join (select * from changed_entry where not is_before) as after
        using (environment_code, transaction_number, kind_code)
    where
        exists (select from last_done)
        and transaction_number in (select transaction_number from restated)
        and (before.day, before.product_number, before.currency, before.price_source_code, before.units, before.amount)
        is distinct from (
            after.day, after.product_number, after.currency, after.price_source_code, after.units, after.amount
        )
    union all
    select *
    from missing_change

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
    left join published_as_of as published on date_trunc('month', part.its_day::timestamp)::date = published.month
    left join closed_as_of as closed on part.its_day between closed.first_day and closed.last_day
    where published.month is not null or closed.as_of is not null

),

-- The transactions whose records can be the cause: of a missing delivery, all that it would serve.
concerned as materialized (

    select distinct
        environment,
        environment_code,
        transaction_id,
        kind = 'missing' as is_missing,
        transaction_number
    from row_of_change
    union
    select
        row_of_change.environment,
        row_of_change.environment_code,
        row_of_change.transaction_id,
        true,
        member.transaction_number
    from row_of_change
    inner join member
        on row_of_change.environment = member.environment and row_of_change.obligation_key = member.obligation_key
    where member.transaction_number is not null

),

-- Those with new evidence.
told as materialized (

    select
        concerned.environment,
        concerned.transaction_id,
        concerned.is_missing,
        bool_or(restated_file.is_returned) as is_returned
    from concerned
    inner join evidence using (environment_code, transaction_number)
    inner join restated_file on evidence.file_id = restated_file.file_id
    group by concerned.environment, concerned.transaction_id, concerned.is_missing

),

-- Those with new delivery records, which name them or belong to them otherwise, or of whose time the log says more.
logged as materialized (

    select
        environment,
        transaction_id,
        bool_or(is_returned) as is_returned
    from (
        select
            concerned.environment,
            concerned.transaction_id,
            restated_file.is_returned
        from concerned
        inner join tieout.delivery_record as record using (transaction_number)
        inner join restated_file on record.file_id = restated_file.file_id
        where concerned.is_missing and coalesce(record.environment, concerned.environment) = concerned.environment
        union all
        select
            row_of_change.environment,
            row_of_change.transaction_id,
            restated_file.is_returned
        from row_of_change
        inner join attempt
            on row_of_change.environment = attempt.environment
            and row_of_change.obligation_key = attempt.obligation_key
        inner join tieout.delivery_record as record
            on attempt.delivery_id = record.delivery_id and attempt.content_hash = record.content_hash
        inner join restated_file on record.file_id = restated_file.file_id
        union all
        select
            environment,
            transaction_id,
            false
        from row_of_change
        inner join uncertain_change using (environment, obligation_key)
    ) as part
    group by environment, transaction_id

),

-- Those with a new sale, and those with a refund or an upgrade that is new or gone.
booked as materialized (

    select
        concerned.environment,
        concerned.transaction_id,
        concerned.is_missing,
        bool_or(change.kind = 'sold' and change.day_before is null) as is_sold,
        bool_or(change.day is not null) filter (
            where change.kind <> 'sold' and (change.day is null or change.day_before is null)
        ) as is_refunded
    from concerned
    inner join change using (environment_code, transaction_number)
    where change.kind <> 'missing'
    group by concerned.environment, concerned.transaction_id, concerned.is_missing

),

known as (

    select
        row_of_change.*,
        told.transaction_id is not null as has_evidence,
        logged.transaction_id is not null as has_deliveries,
        restated_product.product_id is not null as has_catalogue,
        true in (told.is_returned, logged.is_returned, restated_product.is_returned) as is_returned,
        booked.is_sold,
        booked.is_refunded,
        last_done.is_set_otherwise,
        last_done.cause_of_all
    from row_of_change
    cross join last_done
    left join told
        on row_of_change.environment = told.environment
        and row_of_change.transaction_id = told.transaction_id
        and (row_of_change.kind = 'missing') = told.is_missing
    left join logged
        on row_of_change.environment = logged.environment and row_of_change.transaction_id = logged.transaction_id
    left join restated_product
        on coalesce(row_of_change.product_id, row_of_change.product_before) = restated_product.product_id
    left join booked
        on row_of_change.environment = booked.environment
        and row_of_change.transaction_id = booked.transaction_id
        and (row_of_change.kind = 'missing') = booked.is_missing

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
        when known.is_returned then 'file_withdrawn'
        when known.day_before is null and known.at > known.as_of then 'after_as_of'
        when known.kind = 'missing' and known.is_sold and known.day_before is null then 'evidence_arrived'
        when known.kind = 'missing' and known.has_deliveries then 'log_arrived'
        -- Repeated evidence can reverse a refund, but is not stored again.
        when
            (known.kind = 'missing' or known.kind <> 'sold' and (known.day is null or known.day_before is null))
            and known.is_refunded is not null
            and (known.has_evidence or not known.is_set_otherwise)
            then case when known.is_refunded then 'refunded' else 'refund_reversed' end
        when known.has_evidence then 'evidence_arrived'
        when known.has_catalogue then 'catalogue_changed'
        when known.is_set_otherwise then 'settings_changed'
        when known.kind = 'missing' then 'log_arrived'
        else 'evidence_arrived'
    end,
    known.its_units,
    known.its_amount
from known
cross join night
