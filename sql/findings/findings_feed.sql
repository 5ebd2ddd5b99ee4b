-- Finds the stale feeds that bring records again, and tonight's files with such records.
--
-- A feed brings records again if it has one that is newer than the instant of the finding. The answer of an address is
-- in no file if its catalogue had not changed, and a record that was loaded before, with a date after the last as-of,
-- is in no file of tonight.
--
-- Takes  resolved_tonight (findings_live.sql), new_file (findings_things.sql), the judged relations and staging tables
-- Fills  resolving_record (findings_records.sql)
create temporary table resumed_feed on commit drop as
with

stale as (

    select
        finding_id,
        (key).feed,
        -- The detail has whole seconds.
        substring(detail from '^nothing since ([^ ]*Z)')::timestamptz + interval '1 second' as since
    from resolved_tonight
    where rule = 'stale_feed'

)

select
    stale.finding_id,
    stale.feed,
    stale.since
from stale
cross join night
where
    exists (
        select
        from tieout.feed_day
        where
            feed_day.feed = stale.feed
            and (feed_day.environment = '' or feed_day.environment = any(night.environments))
            and feed_day.first_at <= night.as_of
            and feed_day.last_at >= stale.since
    )
    or stale.feed = 'deliveries' and exists (
        select
        from log_hour
        where
            log_hour.hour >= utc_hour(stale.since)
            and last_logged_at(log_hour.hour, log_hour.seconds) >= stale.since
    )
    or stale.feed = 'client' and (
        exists (
            select
            from tieout.client_transaction as entry
            where entry.occurred_at >= stale.since and entry.occurred_at <= night.as_of
        )
        or exists (
            select
            from tieout.client_invalid_product as report
            where report.reported_at >= stale.since and report.reported_at <= night.as_of
        )
    );

create temporary table resumed_file on commit drop as
with

dated as (

    select 'receipts' as feed, staged.file_id, max(staged.evidence_at) as last_at
    from staging_evidence as staged
    cross join night
    where
        environment_name(staged.environment_code) = any(night.environments)
        and staged.evidence_at <= night.as_of
        and exists (select 1 from resumed_feed where feed = 'receipts')
    group by staged.file_id
    union all
    select 'deliveries', staged.file_id, max(staged.occurred_at)
    from staging_delivery as staged
    cross join night
    where staged.occurred_at <= night.as_of and exists (select 1 from resumed_feed where feed = 'deliveries')
    group by staged.file_id
    union all
    select 'client', staged.file_id, max(staged.occurred_at)
    from staging_client_transaction as staged
    cross join night
    where staged.occurred_at <= night.as_of and exists (select 1 from resumed_feed where feed = 'client')
    group by staged.file_id
    union all
    select 'client', staged.file_id, max(staged.reported_at)
    from staging_client_invalid_product as staged
    cross join night
    where staged.reported_at <= night.as_of and exists (select 1 from resumed_feed where feed = 'client')
    group by staged.file_id

)

select distinct
    resumed_feed.finding_id,
    dated.file_id
from dated
inner join resumed_feed using (feed)
where dated.last_at >= resumed_feed.since and dated.file_id in (select file_id from new_file);

insert into resolving_record (about_id, kind, name, file_id, line)
select
    resumed_feed.finding_id,
    'feed' as kind,
    case when resumed_file.file_id is not null then resumed_feed.feed end as name,
    resumed_file.file_id,
    null as line
from resumed_feed
left join resumed_file using (finding_id);

drop table resumed_feed, resumed_file
