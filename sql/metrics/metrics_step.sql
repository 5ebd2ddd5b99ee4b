-- Returns one row for each step of a run, in their order, with its seconds, rows and bytes.
--
-- Takes  $1: the number of the run.
select
    step,
    round(sum(milliseconds) / 1000.0, 3) as seconds,
    sum(row_count) as row_count,
    sum(byte_count) as byte_count
from run_step
where run_id = $1::bigint
group by step
order by min(step_number)
