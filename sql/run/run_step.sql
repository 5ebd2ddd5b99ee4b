-- Adds steps to the record of a run.
--
-- Takes  $1: the number of the run.
--        $2 to $6: arrays with the numbers, names, milliseconds, rows and bytes of the steps.
insert into tieout.run_step (run_id, step_number, step, milliseconds, row_count, byte_count)
select
    $1::bigint as run_id,
    taken.step_number,
    taken.step,
    taken.milliseconds,
    taken.row_count,
    taken.byte_count
from
    unnest($2::integer[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
        as taken (step_number, step, milliseconds, row_count, byte_count)
