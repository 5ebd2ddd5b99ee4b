-- Returns the counts of days.
--
-- For each day before the night, they are the counts at the end of the day's last night: transactions, findings first
-- flagged, and open and acknowledged findings by level and rule. For every day, including tonight, they are also the
-- records that all runs of the day read and rejected.
--
-- Takes  $1: an array of the days (page_night.sql).
-- Gives  day, section (standing, obligation, open_error, acknowledged_error and so on, or records), measure, value
select
    last_night.as_of_on as day,
    run_count.section,
    run_count.measure,
    run_count.value
from night
inner join last_run_of_day as last_night
    on last_night.as_of_on = any($1::date[])
    and last_night.as_of_on < night.as_of_on
    and last_night.outcome = 'done'
inner join run_count on last_night.run_id = run_count.run_id
where
    run_count.section in (
        'standing', 'obligation',
        'open_error', 'open_warning', 'open_info',
        'acknowledged_error', 'acknowledged_warning', 'acknowledged_info'
    )
union all
select
    run.as_of_on,
    'records',
    run_count.measure,
    sum(run_count.value)
from night
inner join run
    on run.as_of_on = any($1::date[])
    and run.as_of_on <= night.as_of_on
    and run.outcome in ('done', 'running')
inner join run_count on run.run_id = run_count.run_id
where
    run_count.section = any(record_sections())
    and run_count.measure in ('read', 'rejected')
group by run.as_of_on, run_count.measure
order by day, section, measure
