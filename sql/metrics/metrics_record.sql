-- Returns one row for each kind of record that a run counted, and each result.
--
-- Takes  $1: the number of the run.
select
    section as kind,
    measure as result,
    value as records
from run_count
where run_id = $1::bigint and measure in ('read', 'new', 'already_known', 'rejected')
order by section, measure
