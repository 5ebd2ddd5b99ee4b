-- Inserts how tonight changed what was published about ended months: each transaction as it counted before and as it
-- counts now, with the cause.
--
-- What a file says that was withdrawn and counts again is `file_withdrawn`. What happened after the as-of of the
-- published edition is `after_as_of`. Otherwise the cause is what was loaded about the purchase: of a missing delivery
-- first the log, then a refund or its reversal, then other evidence. Without any, it is a new catalogue fact about the
-- product, and then another setting or version. What is missing for none of these reasons depends on other records of
-- the log. restatement.csv adds these rows up.
--
-- Takes  the tables of restated_missing.sql and restated_row.sql; attempt: the judged part
insert into restated_entry (
    run_id, environment, transaction_id, kind, is_added, day, product_id, currency, price_source, cause, units, amount
)
with

-- Those with new evidence.
told as materialized (

    select
        concerned.environment,
        concerned.transaction_id,
        concerned.is_missing,
        bool_or(restated_file.is_returned) as is_returned
    from concerned_transaction as concerned
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
        from concerned_transaction as concerned
        inner join tieout.delivery_record as record using (transaction_number)
        inner join restated_file on record.file_id = restated_file.file_id
        where concerned.is_missing and coalesce(record.environment, concerned.environment) = concerned.environment
        union all
        select
            restated_row.environment,
            restated_row.transaction_id,
            restated_file.is_returned
        from restated_row
        inner join attempt
            on restated_row.environment = attempt.environment
            and restated_row.obligation_key = attempt.obligation_key
        inner join tieout.delivery_record as record
            on attempt.delivery_id = record.delivery_id and attempt.content_hash = record.content_hash
        inner join restated_file on record.file_id = restated_file.file_id
        union all
        select
            environment,
            transaction_id,
            false
        from restated_row
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
    from concerned_transaction as concerned
    inner join restated_transaction as change using (environment_code, transaction_number)
    where change.kind <> 'missing'
    group by concerned.environment, concerned.transaction_id, concerned.is_missing

),

known as (

    select
        restated_row.*,
        told.transaction_id is not null as has_evidence,
        logged.transaction_id is not null as has_deliveries,
        restated_product.product_id is not null as has_catalogue,
        true in (told.is_returned, logged.is_returned, restated_product.is_returned) as is_returned,
        booked.is_sold,
        booked.is_refunded,
        last_done.is_set_otherwise,
        last_done.cause_of_all
    from restated_row
    cross join last_done
    left join told
        on restated_row.environment = told.environment
        and restated_row.transaction_id = told.transaction_id
        and (restated_row.kind = 'missing') = told.is_missing
    left join logged
        on restated_row.environment = logged.environment and restated_row.transaction_id = logged.transaction_id
    left join restated_product
        on coalesce(restated_row.product_id, restated_row.product_before) = restated_product.product_id
    left join booked
        on restated_row.environment = booked.environment
        and restated_row.transaction_id = booked.transaction_id
        and (restated_row.kind = 'missing') = booked.is_missing

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
