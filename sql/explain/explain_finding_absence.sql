-- Returns what came last before a server or a feed became silent, and what came first afterwards, for each explained
-- finding about that, in words.
--
-- Takes  lone_finding (explain_lone_finding.sql), placed_record (carried_placed_record.sql) of
--        explain_absence_record.sql
-- Gives  the columns of explain_timeline.sql
with

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
    from placed_record as record
    cross join night
    where record.own_environment = any(night.environments)

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
