-- Deletes closed data that is old enough: `keep_closed_days` have passed since the night that closed it.
--
-- Takes   keep_closed_days of the run's settings. If it is missing or 0, everything stays.
-- Drops   resolved findings with their events, the rejections and steps of old runs, and the documents of their files.
--         It never drops data about transactions, deliveries and products.
--
-- Runs, their files and their rows are found by key, and each run is visited once. So the cost depends on the rows that
-- are dropped, not on the length of the history.

create temporary table closed_run on commit drop as
with

-- Run ids increase with time, so every run before an old night is old. A run of a past day is as old as the night
-- before it, and not as old as its as-of day, because its files were loaded later.
newest as (

    select max(run.run_id) as run_id
    from run
    cross join night
    inner join run as tonight on night.run_id = tonight.run_id
    where
        run.outcome = 'done'
        and not run.is_of_past_day
        and run.as_of
        < night.as_of - make_interval(days => nullif((tonight.settings ->> 'keep_closed_days')::integer, 0))

)

select run.run_id
from run
inner join newest on run.run_id <= newest.run_id
where not run.is_cleared;

analyze closed_run;

create temporary table closed_file on commit drop as
select input_file.file_id
from input_file
inner join closed_run on input_file.run_id = closed_run.run_id;

analyze closed_file;

create temporary table closed_finding on commit drop as
select finding.finding_id
from finding
inner join closed_run on finding.changed_run_id = closed_run.run_id
where finding.status = 'resolved';

analyze closed_finding;

delete from finding_event using closed_finding
where finding_event.finding_id = closed_finding.finding_id;

delete from finding using closed_finding
where finding.finding_id = closed_finding.finding_id;

delete from document using closed_file
where document.file_id = closed_file.file_id;

create temporary table dropped_rejection on commit drop as
with

dropped as (

    delete from rejection using closed_run
    where rejection.run_id = closed_run.run_id
    returning rejection.file_id, rejection.kind, 1 as records

),

dropped_rest as (

    delete from rejection_rest using closed_run
    where rejection_rest.run_id = closed_run.run_id
    returning rejection_rest.file_id, rejection_rest.kind, rejection_rest.records

)

select
    one.file_id,
    sum(one.records) as records
from (
    select * from dropped
    union all
    select * from dropped_rest
) as one
where one.file_id is not null and one.kind not in ('file', 'transaction')
group by one.file_id;

analyze dropped_rejection;

-- A rebuild does not need files without usable records (rebuild_file.sql).
update input_file
set is_unusable = true
from dropped_rejection
where
    input_file.file_id = dropped_rejection.file_id
    and input_file.records <= dropped_rejection.records;

delete from run_step using closed_run
where run_step.run_id = closed_run.run_id;

update run
set is_cleared = true
from closed_run
where run.run_id = closed_run.run_id
