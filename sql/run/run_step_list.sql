-- Returns one row for each step of a run, in their order, with the rates of steps that took at least a tenth of a
-- second.
--
-- Takes  $1: the number of the run.
select
    step_number as step,
    step as name,
    to_char(milliseconds / 1000.0, 'FM999999990.000') as seconds,
    row_count as rows,
    case when milliseconds >= 100 then row_count * 1000 / milliseconds end as rows_per_second,
    to_char(byte_count / 1000000.0, 'FM999999990.0') as megabytes,
    case
        when milliseconds >= 100 then to_char(byte_count / 1000.0 / milliseconds, 'FM999999990.0')
    end as megabytes_per_second
from run_step
where run_id = $1::bigint
order by step_number
