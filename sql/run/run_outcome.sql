-- Returns one row: the outcome of a run.
--
-- Takes  $1: the number of the run.
select outcome
from tieout.run
where run_id = $1::bigint
