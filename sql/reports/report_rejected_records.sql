-- Returns rejected_records.csv: one row for each kept rejection of the as-of day's runs, with its reason.
--
-- Runs after the night's own are left out: another edition reports them. A file that several runs of the day could not
-- use for the same reason is listed once. The rows of a file are followed by one row for each reason whose rejections
-- were only counted. The select list is the CSV header.
--
-- Kind      night paper
-- Edition   yes
-- Sheet     none
-- Rule      none
with

rejected as (

    select
        rejection.run_id,
        rejection.path,
        rejection.line,
        rejection.kind,
        rejection.reason,
        case
            when rejection.detail = ''
                then format(
                    'Only the line is kept: the file has more than %1$s rejections of this reason, '
                    'and only the first %1$s have details.',
                    whole_rejections()
                )
            else rejection.detail
        end as detail,
        rejection.excerpt,
        1 as records,
        rejection.rejection_id
    from rejection
    union all
    select
        rejection_rest.run_id,
        rejection_rest.path,
        null,
        rejection_rest.kind,
        rejection_rest.reason,
        'These records were only counted: rejections_kept limits the rejections that a run keeps.',
        '',
        rejection_rest.records,
        null
    from rejection_rest
    where rejection_rest.records > 0

)

select
    csv_text(visible_text(rejected.path)) as file,
    rejected.line,
    rejected.kind,
    rejected.reason,
    csv_text(rejected.detail) as detail,
    csv_text(rejected.excerpt) as excerpt,
    rejected.records
from rejected
inner join run on rejected.run_id = run.run_id
cross join night
where
    is_run_of_day(run.as_of_on, run.run_id, run.outcome, night.as_of_on, night.run_id)
    -- Each run of the day tries again to read a file that it cannot read.
    and not (
        rejected.kind = 'file'
        and exists (
            select
            from rejection as earlier
            inner join run as earlier_run on earlier.run_id = earlier_run.run_id
            where
                earlier.kind = 'file'
                and earlier.path = rejected.path
                and earlier.reason = rejected.reason
                and earlier.detail = rejected.detail
                and earlier.run_id < rejected.run_id
                and earlier_run.as_of_on = night.as_of_on
                and earlier_run.outcome = 'done'
        )
    )
order by
    rejected.path,
    rejected.rejection_id is null,
    rejected.line nulls first,
    rejected.kind,
    rejected.rejection_id,
    rejected.run_id,
    rejected.reason
