-- Records how a run ended, unless it has ended already.
--
-- Takes  $1: the number of the run.
--        $2: the outcome.
update tieout.run
set
    outcome = $2,
    finished_at = clock_timestamp()
where run_id = $1::bigint and outcome = 'running'
