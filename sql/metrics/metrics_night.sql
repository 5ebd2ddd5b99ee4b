-- Returns one row for the newest night: its as-of, its end, and how long its oldest open error that is not acknowledged
-- has been known.
select
    (
        select extract(epoch from newest.as_of) - extract(epoch from first.as_of)
        from finding
        inner join run as first on finding.first_run_id = first.run_id
        where finding.level = 'error' and finding.status in ('open', 'reopened')
        order by first.as_of
        limit 1
    ) as oldest_error_seconds,
    extract(epoch from newest.as_of) as as_of,
    extract(epoch from newest.finished_at) as finished_at
from run as newest
where newest.outcome = 'done' and not newest.is_of_past_day
order by newest.run_id desc
limit 1
