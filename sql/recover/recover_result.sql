-- Returns one row: what a run found that no command has reported (recover_unreported.sql). The next run reports it.
--
-- Takes  $1: the run_id
-- Gives  rejected_files, rejected_records; new_errors, new_warnings: the findings that the run opened
with

rejected as (

    select
        coalesce(sum(value) filter (where section = 'files'), 0) as files,
        coalesce(sum(value) filter (where section <> 'files'), 0) as records
    from tieout.run_count
    where run_id = $1::bigint and measure = 'rejected'

)

select
    (select files from rejected) as rejected_files,
    (select records from rejected) as rejected_records,
    count(*) filter (where finding.level = 'error') as new_errors,
    count(*) filter (where finding.level = 'warning') as new_warnings
from tieout.finding_event as opened
inner join tieout.finding on opened.finding_id = finding.finding_id
where
    opened.run_id = $1::bigint
    and opened.event in ('opened', 'reopened')
    and finding.status <> 'acknowledged'
