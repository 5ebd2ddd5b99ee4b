-- Inserts numbers that a run counted.
--
-- Takes  $1: the number of the run.
--        $2 to $4: arrays with the sections, measures and values.
insert into run_count (run_id, section, measure, value)
select
    $1::bigint as run_id,
    counted.section,
    counted.measure,
    counted.value
from unnest($2::text[], $3::text[], $4::bigint[]) as counted (section, measure, value)
