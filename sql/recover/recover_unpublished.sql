-- Returns the days whose last run has committed and not published its edition, the earliest first.
--
-- Only the last run of a day counts: the newest edition must not return to an earlier run's result.
--
-- Gives  run_id, day, reports_folder
select
    run_id,
    to_char(as_of_on::timestamp, 'YYYY-MM-DD') as day,
    reports_folder
from (
    select distinct on (as_of_on, reports_folder)
        run_id,
        as_of_on,
        reports_folder,
        is_published
    from tieout.run
    where outcome = 'done'
    order by
        as_of_on,
        reports_folder,
        run_id desc
) as last
where not is_published
order by as_of_on, reports_folder
