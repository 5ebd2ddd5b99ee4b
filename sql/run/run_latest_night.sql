-- Returns one row: the night with the latest as-of, and whether the clock has not reached it.
select
    run_id,
    csv_instant(as_of) as as_of,
    as_of > clock_timestamp() as is_in_future
from run
where outcome = 'done' and not is_of_past_day
order by as_of desc, run_id desc
limit 1
