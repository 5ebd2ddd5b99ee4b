-- Inserts how tonight changed what was published about ended months: each transaction as it counted before and as it
-- counts now, with the cause.
--
-- What happened after the as-of of the published edition is `after_as_of`. If only another time zone moved a
-- transaction to another day, the cause is `settings_changed`. Otherwise the cause is what was loaded about the
-- purchase: of a missing delivery first the log, then a refund or its reversal, then other evidence. Without any, it is
-- a new catalogue fact about the product, and then another setting or version. If none of these applies to a missing
-- delivery, the cause is the log: other records of it decide what is missing. Records that cannot change the number are
-- not its cause: log records do not change an amount, and only a delivery ends a missing one. A catalogue fact comes
-- before evidence if nothing but a list price differs, or if the product is not delivered by the company's server any
-- more.
--
-- The cause is `file_withdrawn` if what was loaded is from a file that was withdrawn and counts again. restatement.csv
-- adds the rows up.
--
-- Takes  the tables of restated_start.sql, restated_missing.sql and restated_row.sql; attempt, obligation: the judged
--        part; product
insert into restated_entry (
    run_id, environment, transaction_id, kind, is_added, day, product_id, currency, price_source, cause, units, amount
)
with

-- Those with new evidence.
evidenced as materialized (

    select
        concerned.environment,
        concerned.transaction_id,
        concerned.kind,
        bool_or(restated_file.is_returned) as is_returned
    from concerned_transaction as concerned
    inner join evidence using (environment_code, transaction_number)
    inner join restated_file on evidence.file_id = restated_file.file_id
    group by concerned.environment, concerned.transaction_id, concerned.kind

),

-- Those with new delivery records that name them or belong to them otherwise, and those that became uncertain or are no
-- longer uncertain.
logged as materialized (

    select
        environment,
        transaction_id,
        bool_or(is_returned) as is_returned,
        bool_or(is_delivered) as is_delivered
    from (
        select
            concerned.environment,
            concerned.transaction_id,
            restated_file.is_returned,
            -- The next part has the deliveries that count. Others change nothing, for example superseded ones.
            false as is_delivered
        from concerned_transaction as concerned
        inner join tieout.delivery_record as record using (transaction_number)
        inner join restated_file on record.file_id = restated_file.file_id
        where
            concerned.kind = 'missing'
            and coalesce(record.environment, concerned.environment) = concerned.environment
        union all
        select
            restated_row.environment,
            restated_row.transaction_id,
            restated_file.is_returned,
            record.status = 'delivered' and attempt.product_id = restated_row.product_before
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
            false,
            -- It is not missing but uncertain now.
            true
        from restated_row
        inner join uncertain_change using (environment, obligation_key)
        -- Without new delivery records another due date or setting made the difference.
        where exists (
            select 1
            from restated_file
            inner join input_file using (file_id)
            where input_file.folder = 'deliveries'
        )
    ) as part
    group by environment, transaction_id

),

-- Those with a new sale, and those with a refund or an upgrade that is new or gone.
booked as materialized (

    select
        concerned.environment,
        concerned.transaction_id,
        concerned.kind,
        bool_or(change.kind = 'sold' and change.day_before is null) as is_sold,
        bool_or(change.day is not null) filter (
            where change.kind <> 'sold' and (change.day is null or change.day_before is null)
        ) as is_refunded
    from concerned_transaction as concerned
    inner join restated_transaction as change using (environment_code, transaction_number)
    where
        change.kind <> 'missing'
        -- The entries of another id of the purchase are changes of their own.
        and (concerned.kind = 'missing' or concerned.is_own)
    group by concerned.environment, concerned.transaction_id, concerned.kind

),

known as (

    select
        restated_row.*,
        evidenced.transaction_id is not null as has_evidence,
        -- Log records decide whether a delivery is missing, and nothing else.
        restated_row.kind = 'missing'
        and case
            when restated_row.day is null then logged.is_delivered is true
            else restated_row.day_before is null and logged.transaction_id is not null
        end as has_deliveries,
        restated_product.product_id is not null as has_catalogue,
        restated_product.product_id is not null
        and case
            when restated_row.day is null
                then restated_row.kind = 'missing' and is_our_delivery(product.delivery) is not true
            else
                restated_row.price_source = 'catalogue'
                and (restated_row.day, restated_row.product_id, restated_row.units)
                = (restated_row.day_before, restated_row.product_before, restated_row.units_before)
                -- It is another list price, or the first one.
                and (
                    restated_row.source_before = 'none'
                    or (restated_row.currency, restated_row.price_source)
                    = (restated_row.currency_before, restated_row.source_before)
                )
        end as is_of_catalogue,
        evidenced.is_returned is true as is_evidence_returned,
        logged.is_returned is true as is_log_returned,
        restated_product.is_returned is true as is_catalogue_returned,
        withdrawn_before.transaction_id is not null as was_withdrawn,
        booked.is_sold,
        -- A purchase that a family member shares has no sale, so its refund is no entry.
        coalesce(booked.is_refunded, case when obligation.class = 'refunded' then true end) as is_refunded,
        last_done.is_set_otherwise,
        last_done.cause_of_all
    from restated_row
    cross join last_done
    left join evidenced
        on restated_row.environment = evidenced.environment
        and restated_row.transaction_id = evidenced.transaction_id
        and restated_row.kind = evidenced.kind
    left join logged
        on restated_row.environment = logged.environment
        and restated_row.transaction_id = logged.transaction_id
        and restated_row.kind = 'missing'
    left join restated_product
        on coalesce(restated_row.product_id, restated_row.product_before) = restated_product.product_id
    left join product on restated_product.product_id = product.product_id
    left join booked
        on restated_row.environment = booked.environment
        and restated_row.transaction_id = booked.transaction_id
        and restated_row.kind = booked.kind
    left join obligation
        on restated_row.environment = obligation.environment
        and restated_row.obligation_key = obligation.obligation_key
        and restated_row.day is null
    left join withdrawn_before
        on restated_row.environment = withdrawn_before.environment
        and restated_row.transaction_id = withdrawn_before.transaction_id
        and restated_row.kind = withdrawn_before.kind

),

caused as (

    select
        known.*,
        case
            when known.day_before is null and known.at > known.as_of then 'after_as_of'
            when known.is_moved_by_zone then 'settings_changed'
            when known.kind = 'missing' and known.is_sold and known.day_before is null and known.has_evidence
                then 'evidence_arrived'
            when known.has_deliveries then 'log_arrived'
            -- Repeated evidence can reverse a refund, but is not stored again.
            when
                (known.kind = 'missing' or known.kind <> 'sold' and (known.day is null or known.day_before is null))
                and known.is_refunded is not null
                and (known.has_evidence or not known.is_set_otherwise)
                then case when known.is_refunded then 'refunded' else 'refund_reversed' end
            when known.is_of_catalogue then 'catalogue_changed'
            when known.has_evidence then 'evidence_arrived'
            when known.has_catalogue then 'catalogue_changed'
            when known.is_set_otherwise then 'settings_changed'
            when known.kind = 'missing' then 'log_arrived'
            else 'evidence_arrived'
        end as cause
    from known

)

select
    night.run_id,
    caused.environment,
    caused.its_transaction,
    caused.kind,
    caused.is_added,
    caused.its_day,
    caused.its_product,
    coalesce(caused.its_currency, ''),
    caused.its_source,
    case
        when caused.cause_of_all is not null then caused.cause_of_all
        when
            case
                when caused.was_withdrawn
                    then caused.is_evidence_returned or caused.is_log_returned or caused.is_catalogue_returned
                when caused.cause = 'log_arrived' then caused.is_log_returned
                when caused.cause = 'catalogue_changed' then caused.is_catalogue_returned
                when caused.cause = 'settings_changed' then false
                else caused.is_evidence_returned
            end
            then 'file_withdrawn'
        else caused.cause
    end,
    caused.its_units,
    caused.its_amount
from caused
cross join night
