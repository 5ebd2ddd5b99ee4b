-- Returns the delivery records by as-of of the hours before and after each silence of a server that is explained.
--
-- The log is read once, because no index has the servers and times of all attempts.
--
-- Takes  lone_finding (explain_lone_finding.sql)
-- Gives  the named_record of carried_placed_record.sql, with thing_key and begins_at of the finding, hour, occurred_at,
--        status, transaction_id, file_id, line
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

)

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
