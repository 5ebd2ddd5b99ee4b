-- Marks the runs that were killed. It runs under the lock of a run, so no other run is at work.
update tieout.run
set outcome = 'killed', finished_at = clock_timestamp()
where outcome = 'running'
