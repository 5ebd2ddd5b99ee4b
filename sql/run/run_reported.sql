-- Records that a command has reported the results of runs.
--
-- Takes  $1: the numbers of the runs, as an array
update tieout.run
set is_reported = true
where run_id = any($1::bigint[])
