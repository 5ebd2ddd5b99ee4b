-- Returns one row for each step of the newest run that is done, in their order. A rebuild does not count, because it
-- reads and judges everything. A run of `tieout recompute` or `tieout forget` counts, although it judges everything
-- too: nothing in its record distinguishes it from a night, so the next night shows its times as the estimate.
--
-- Takes  $1: whether to take the newest run of a past day; otherwise the newest night.
select
    step,
    milliseconds
from tieout.run_step
where run_id = (
    select run.run_id
    from tieout.run
    where run.outcome = 'done' and not run.is_rebuild and run.is_of_past_day = $1::boolean
    order by run.run_id desc
    limit 1
)
order by step_number
