-- Returns one row: what a run found that was killed after its commit. It ended without an exit status, so the run that
-- publishes its reports reports this too.
--
-- Takes  $1: the run_id
-- Gives  rejected: records and files; new_errors, new_warnings: the findings that the run opened
select
    (
        select coalesce(sum(run_count.value), 0)
        from tieout.run_count
        where run_count.run_id = $1::bigint and run_count.measure = 'rejected'
    ) as rejected,
    count(*) filter (where finding.level = 'error') as new_errors,
    count(*) filter (where finding.level = 'warning') as new_warnings
from tieout.finding_event as opened
inner join tieout.finding on opened.finding_id = finding.finding_id
where
    opened.run_id = $1::bigint
    and opened.event in ('opened', 'reopened')
    and finding.status <> 'acknowledged'
