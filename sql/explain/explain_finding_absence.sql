-- Returns what came last before a server or a feed became silent, and what came first afterwards, for each explained
-- finding about that, in words.
--
-- The log is read once for a silent server, because no index has the servers and times of all attempts.
--
-- Takes  lone_finding (explain_lone_finding.sql), product.
-- Gives  the columns of explain_timeline.sql
with

-- The hours before and after a silence in which the server logged something.
logged as (

    select
        lone_finding.thing_key,
        (lone_finding.key).server,
        (lone_finding.key).begins_at,
        edge.hour
    from lone_finding
    cross join lateral (
        select max(source_hour.hour) as hour
        from carried_source_hour as source_hour
        where source_hour.server = (lone_finding.key).server and source_hour.hour < (lone_finding.key).begins_at
        union all
        select min(source_hour.hour)
        from carried_source_hour as source_hour
        where source_hour.server = (lone_finding.key).server and source_hour.hour >= (lone_finding.key).begins_at
    ) as edge
    where lone_finding.rule = 'silent_source' and edge.hour is not null

),

near_attempt as materialized (

    select
        logged.thing_key,
        logged.hour,
        logged.begins_at,
        record.occurred_at,
        record.delivery_id,
        record.content_hash,
        record.status,
        record.transaction_number,
        record.transaction_id,
        record.environment,
        record.file_id,
        record.line
    from logged
    cross join night
    inner join tieout.delivery_record as record
        on logged.server = record.server
        and record.occurred_at >= logged.hour
        and record.occurred_at < logged.hour + interval '1 hour'
    where record.occurred_at <= night.as_of

),

-- What evidence contains under the ids without an environment.
known as materialized (

    select
        ledger.environment,
        ledger.transaction_number,
        ledger.original_number,
        ledger.product_number,
        ledger.product_type,
        ledger.expires_at,
        ledger.line_item_number,
        ledger.first_purchased_at,
        ledger.first_original_purchased_at
    from tieout.store_transaction as ledger
    where ledger.transaction_number in (select transaction_number from near_attempt where environment is null)

),

-- The ids that only a sandbox transaction has by as-of (own_environment).
sandbox_only as materialized (

    select known.transaction_number
    from known
    cross join night
    left join product on known.product_number = product.product_number
    where
        purchase_date(
            known.transaction_number = known.original_number,
            coalesce(product.type, known.product_type),
            known.expires_at,
            known.line_item_number,
            known.first_purchased_at,
            known.first_original_purchased_at
        ) <= night.as_of
    group by known.transaction_number
    having bool_and(known.environment = 'Sandbox')

),

attempted as (

    select
        record.thing_key,
        record.occurred_at,
        record.delivery_id,
        record.status,
        record.transaction_id,
        record.file_id,
        record.line,
        record.begins_at > record.hour as is_before,
        row_number() over (
            partition by record.thing_key, record.hour
            order by
                case when record.begins_at > record.hour then record.begins_at - record.occurred_at end,
                record.occurred_at,
                record.delivery_id,
                record.content_hash
        ) as place
    from near_attempt as record
    cross join night
    left join sandbox_only on record.transaction_number = sandbox_only.transaction_number
    where
        own_environment(record.environment, sandbox_only.transaction_number is not null)
        = any(night.environments)

),

event as (

    select
        attempted.thing_key,
        attempted.occurred_at as at,
        case attempted.status when 'pending' then 'attempted' else attempted.status end as event,
        format(
            '%s: delivery %s %s for transaction %s',
            case when attempted.is_before then 'the last attempt before' else 'the first attempt after' end,
            attempted.delivery_id,
            case attempted.status when 'pending' then 'attempted, not ended' else attempted.status end,
            attempted.transaction_id
        ) as words,
        attempted.file_id,
        attempted.line,
        1 as place
    from attempted
    where attempted.place = 1
    union all
    -- The newest files of a feed, and the newest answers of an address.
    select
        lone_finding.thing_key,
        run.as_of,
        'loaded',
        format('loaded for this night, records: %s', fed.records),
        fed.file_id,
        null,
        row_number() over (partition by lone_finding.thing_key order by fed.file_id desc)
    from lone_finding
    inner join input_file as fed on (lone_finding.key).feed = fed.folder
    inner join run using (run_id)
    where lone_finding.rule = 'stale_feed'
    union all
    select
        lone_finding.thing_key,
        fed.last_at,
        'loaded',
        'the address answered',
        null,
        null,
        row_number() over (partition by lone_finding.thing_key order by fed.day desc)
    from lone_finding
    inner join feed_day as fed on (lone_finding.key).feed = fed.feed and fed.environment = ''
    where lone_finding.rule = 'stale_feed'

)

select
    lone_finding.environment,
    lone_finding.thing_key,
    csv_instant(event.at) as at,
    event.event,
    event.words,
    input_file.path as file,
    event.line,
    null as pointer
from lone_finding
inner join event using (thing_key)
left join input_file using (file_id)
where event.place <= 5
order by
    lone_finding.thing_key,
    event.at,
    event.event,
    event.words,
    input_file.path,
    event.line
