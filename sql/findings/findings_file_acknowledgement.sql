-- Inserts the acknowledgements of tonight's files. It runs after the findings are updated, because a file may
-- acknowledge a finding that is found for the first time tonight, as in a new database.
--
-- A line counts once, even if its file grows and is read again. A new line replaces the earlier acknowledgement. If
-- several lines of one night name one finding, the one that lasts longest counts; their order does not matter. A line
-- is rejected if it names no finding, a resolved finding, or a day that has passed.
--
-- Gives  arrived, new, rejected

create temporary table new_acknowledgement on commit drop as
select distinct on (staging_acknowledgement.content_hash)
    staging_acknowledgement.file_id,
    staging_acknowledgement.line,
    staging_acknowledgement.content_hash,
    'F-' || lower(regexp_replace(staging_acknowledgement.finding, '^[Ff]-', '')) as name,
    (staging_acknowledgement.until_at at time zone 'UTC')::date as until_on,
    staging_acknowledgement.because,
    staging_acknowledgement.acknowledged_by
from staging_acknowledgement
where not exists (
    select
    from acknowledgement
    where acknowledgement.content_hash = staging_acknowledgement.content_hash
)
order by
    staging_acknowledgement.content_hash,
    staging_acknowledgement.file_id,
    staging_acknowledgement.line;

analyze new_acknowledgement;

create temporary table named_acknowledgement on commit drop as
select
    new_acknowledgement.*,
    named.finding_id,
    named.level,
    case
        when named.findings = 0 then 'unknown_finding'
        when named.findings > 1 then 'ambiguous_finding'
        when named.status = 'resolved' then 'resolved_finding'
        when new_acknowledgement.until_on < newest.as_of_on then 'past_day'
    end as reason
from new_acknowledgement
cross join (
    -- In a run of a past day, the newest night is another one.
    select greatest(night.as_of_on, max(run.as_of_on)) as as_of_on
    from night
    left join run on run.outcome = 'done' and not run.is_of_past_day
    group by night.as_of_on
) as newest
cross join lateral (
    select
        count(*) as findings,
        min(finding.finding_id) as finding_id,
        min(finding.level) as level,
        min(finding.status) as status
    from finding
    where
        new_acknowledgement.name ~ '^F-[0-9a-f]{4,12}$'
        and finding_name_begins(finding.name, new_acknowledgement.name)
) as named;

-- Locks the finding before its acknowledgement, in the same order as every other SQL statement.
update finding
set status = 'acknowledged'
from named_acknowledgement
where
    finding.finding_id = named_acknowledgement.finding_id
    and named_acknowledgement.reason is null
    and finding.status <> 'resolved';

update acknowledgement
set
    ended_because = 'replaced',
    ended_at = clock_timestamp(),
    ended_run_id = night.run_id
from named_acknowledgement, night
where
    acknowledgement.finding_id = named_acknowledgement.finding_id
    and named_acknowledgement.reason is null
    and acknowledgement.ended_because is null;

insert into acknowledgement (
    finding_id, finding, level, because, until_on, acknowledged_by, acknowledged_at, content_hash, file_id,
    line, run_id, ended_because, ended_at, ended_run_id, acknowledged_system_user, acknowledged_role
)
select
    ranked.finding_id,
    finding.name,
    ranked.level,
    ranked.because,
    ranked.until_on,
    ranked.acknowledged_by,
    run.started_at,
    ranked.content_hash,
    ranked.file_id,
    ranked.line,
    run.run_id,
    case when ranked.place > 1 then 'replaced' end,
    case when ranked.place > 1 then clock_timestamp() end,
    case when ranked.place > 1 then run.run_id end,
    run.started_by,
    session_user
from (
    select
        named_acknowledgement.*,
        row_number() over (
            partition by named_acknowledgement.finding_id
            order by
                named_acknowledgement.until_on desc nulls first,
                named_acknowledgement.because collate "C",
                named_acknowledgement.acknowledged_by collate "C",
                named_acknowledgement.content_hash
        ) as place
    from named_acknowledgement
    where named_acknowledgement.reason is null
) as ranked
cross join night
inner join run on night.run_id = run.run_id
inner join finding on ranked.finding_id = finding.finding_id
order by
    finding.name,
    ranked.place;

-- The reader has rejected unreadable lines already. This adds the lines that name no finding that can be acknowledged.
-- load_rejection.sql keeps both.
insert into staging_rejection (
    file_id, line, kind, reason, detail, excerpt, raw, raw_bytes, place, records
)
select
    named_acknowledgement.file_id,
    named_acknowledgement.line,
    'acknowledgement',
    named_acknowledgement.reason,
    case named_acknowledgement.reason
        when 'unknown_finding'
            then 'No finding has this name; tieout findings and the column finding of findings.csv show the names.'
        when 'ambiguous_finding' then 'Several findings have a name that begins like this; write all of it.'
        when 'resolved_finding' then 'The finding has resolved: there is nothing to acknowledge.'
        else 'The day in until has passed; write a later day, or leave it out.'
    end,
    staging_acknowledgement.excerpt,
    staging_acknowledgement.raw,
    staging_acknowledgement.raw_bytes,
    named_acknowledgement.line,
    1
from named_acknowledgement
inner join staging_acknowledgement using (file_id, line, content_hash)
where named_acknowledgement.reason is not null;

select
    (select count(*) from staging_acknowledgement) as arrived,
    count(*) filter (where reason is null) as new,
    count(*) filter (where reason is not null) as rejected
from named_acknowledgement
