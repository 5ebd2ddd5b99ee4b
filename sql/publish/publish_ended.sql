-- Returns one row: whether a run was recorded as ended without reports, in a folder in which runs of this database have
-- published.
--
-- Takes  $1: the number of the run.
--        $2: the reports folder.
select
    exists (
        select
        from tieout.run
        where run.run_id = $1::bigint and run.outcome in ('failed', 'rejected', 'stopped')
    )
    and exists (
        select
        from tieout.run
        where run.reports_folder = $2 and run.is_published
    ) as is_ours
