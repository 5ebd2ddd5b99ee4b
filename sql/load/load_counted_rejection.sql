-- Returns one row: the number of a run's rejections that were only counted, by file and reason.
--
-- Takes  $1: the number of the run.
select coalesce(sum(records), 0)::bigint as records
from rejection_rest
where run_id = $1::bigint
