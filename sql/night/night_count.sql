-- Inserts the counts of one section of the control totals.
--
-- Takes  $1: the run_id; $2: the section; $3: the measures; $4: their values, in the same order
insert into run_count (run_id, section, measure, value)
select
    $1::bigint,
    $2,
    counted.measure,
    counted.value
from unnest($3::text[], $4::bigint[]) as counted (measure, value)
