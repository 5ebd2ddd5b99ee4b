-- Returns one row for each number of a section that says how much of the newest night was compared.
--
-- Takes  $1: the section: obligation, units or unread.
select
    measure,
    value
from run_count
where
    section = $1
    and run_id = (
        select max(run.run_id)
        from run
        where run.outcome = 'done' and not run.is_of_past_day
    )
order by measure
