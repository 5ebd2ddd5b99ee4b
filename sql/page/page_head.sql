-- Returns one row: the night that index.html shows, in words.
select
    csv_instant(night.as_of) as as_of,
    night.as_of_on as day,
    to_char(night.as_of_on, 'FMDay FMDD FMMonth YYYY') as day_in_words,
    night.time_zone,
    csv_instant(books.begin_at) as books_begin,
    -- Missing if revenue.csv has all days that the page shows.
    case when night.revenue_since > night.as_of_on - page_days() + 1 then night.revenue_since end as revenue_since,
    to_char(night.revenue_since, 'FMDD FMMonth YYYY') as revenue_since_in_words,
    exists (select from product) as has_catalogue,
    run.is_of_past_day,
    (
        select coalesce(sum(value), 0)
        from carried_total
        where section = 'disposition'
    ) as transactions,
    (
        select count(*)
        from found
        left join finding
            on found.rule = finding.rule
            and found.environment = finding.environment
            and found.subject_hash = finding.subject_hash
        where
            -- The night of a past day opens no finding, and later nights can have opened some that it finds too.
            (finding.first_flagged_on = night.as_of_on or finding.finding_id is null and not run.is_of_past_day)
            and finding.status is distinct from 'acknowledged'
    ) as first_flagged,
    (
        select count(*)
        from found
        inner join finding
            on found.rule = finding.rule
            and found.environment = finding.environment
            and found.subject_hash = finding.subject_hash
        where
            finding.first_flagged_on < night.as_of_on
            and finding.status <> 'acknowledged'
            and exists (
                select 1
                from finding_event
                inner join run as changing on finding_event.run_id = changing.run_id
                where
                    finding_event.finding_id = finding.finding_id
                    and finding_event.event = 'reopened'
                    and changing.as_of_on = night.as_of_on
                    and changing.run_id <= night.run_id
            )
    ) as reopened
from night
inner join run on night.run_id = run.run_id
cross join books
