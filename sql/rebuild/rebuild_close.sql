-- Completes a rebuild after all files that count are loaded: it keeps only the rejections that are new, and deletes
-- again what retention had dropped.
--
-- A rejection is known if a run has recorded it, and if the setting that decides about it (deciding_setting) was the
-- same when the file was read last. Otherwise the record may have counted until now. It did not count if the rebuild
-- that read the file last has noted that it rejected all these records again. Of a file whose rejections retention has
-- dropped, all are known if the deciding setting is the same.
--
-- Leaves behind  staging_rejection: the rejections that are new, for load_rejection.sql; rejection_rest: a row with 0
--                records for each file and reason of which a changed setting rejects all known records again
--
-- Gives  kind, and the number of new rejections of that kind

delete from document using input_file, run
where
    document.file_id = input_file.file_id
    and input_file.run_id = run.run_id
    and run.is_cleared;

-- load_rejection.sql reads the files of tonight's rejections here.
insert into tonight_file (run_id, file_id, path)
select
    night.run_id,
    input_file.file_id,
    input_file.path
from input_file
cross join night;

-- A rebuild reads all files that are known when it begins.
create temporary table earlier_rebuild on commit drop as
select max(run.run_id) as run_id
from run
where run.is_rebuild and run.run_id <> (select night.run_id from night);

-- The files of which retention has dropped the rejections, with the settings with which they were read last.
create temporary table cleared_file on commit drop as
select
    file.file_id,
    file.folder,
    latest.settings
from (
    select
        one.file_id,
        one.folder,
        max(other.run_id) as read_in
    from input_file as one
    inner join input_file as other on one.sha256 = other.sha256 and one.folder = other.folder
    inner join run on other.run_id = run.run_id
    group by one.file_id, one.folder
    having bool_or(run.is_cleared)
) as file
cross join earlier_rebuild
inner join run as latest on greatest(file.read_in, earlier_rebuild.run_id) = latest.run_id;

create temporary table recorded_rejection on commit drop as
with

-- A file that was read again because a setting has changed has several ids.
file as (

    select
        one.file_id,
        one.folder,
        other.file_id as known_as,
        max(other.run_id) over (partition by one.file_id) as read_in
    from input_file as one
    inner join input_file as other on one.sha256 = other.sha256 and one.folder = other.folder

)

select
    file.file_id,
    recorded.run_id,
    recorded.line,
    recorded.counted,
    recorded.kind,
    recorded.reason,
    (run.settings -> setting.name is not distinct from latest.settings -> setting.name) as is_of_latest,
    (tonight.settings -> setting.name is distinct from latest.settings -> setting.name) as is_changed
from (
    select run_id, file_id, line, kind, reason, null as counted from rejection
    union all
    select run_id, file_id, null, kind, reason, records from rejection_rest
) as recorded
inner join file on recorded.file_id = file.known_as
inner join run on recorded.run_id = run.run_id
cross join earlier_rebuild
inner join run as latest on greatest(file.read_in, earlier_rebuild.run_id) = latest.run_id
cross join night
inner join run as tonight on night.run_id = tonight.run_id
cross join lateral deciding_setting(recorded.kind, file.folder, recorded.reason) as setting (name);

analyze recorded_rejection;

insert into rejection_rest (run_id, file_id, path, kind, reason, records)
select
    tonight_file.run_id,
    recorded_rejection.file_id,
    tonight_file.path,
    recorded_rejection.kind,
    recorded_rejection.reason,
    0
from recorded_rejection
inner join tonight_file using (file_id)
left join (select distinct file_id, coalesce(line, 0) as line, kind, reason from staging_rejection) as again
    on recorded_rejection.file_id = again.file_id
    and coalesce(recorded_rejection.line, 0) = again.line
    and recorded_rejection.kind = again.kind
    and recorded_rejection.reason = again.reason
where
    recorded_rejection.is_changed
    and recorded_rejection.file_id not in (select cleared_file.file_id from cleared_file)
group by
    tonight_file.run_id,
    recorded_rejection.file_id,
    tonight_file.path,
    recorded_rejection.kind,
    recorded_rejection.reason
having
    bool_or(again.file_id is not null)
    and bool_and(again.file_id is not null or recorded_rejection.counted is not null);

with

rejected_again as (

    select
        file_id,
        kind,
        reason,
        max(run_id) as run_id
    from recorded_rejection
    where counted = 0 and is_of_latest
    group by file_id, kind, reason

),

unchanged as (

    select
        recorded_rejection.file_id,
        recorded_rejection.line,
        recorded_rejection.counted is not null as is_rest,
        recorded_rejection.kind,
        recorded_rejection.reason
    from recorded_rejection
    left join rejected_again using (file_id, kind, reason)
    where
        recorded_rejection.counted is distinct from 0
        and (recorded_rejection.is_of_latest or recorded_rejection.run_id < rejected_again.run_id)

),

known as (

    select distinct
        file_id,
        line,
        kind,
        reason
    from unchanged
    where not is_rest

),

-- Some rejections with these reasons were only counted, so their lines are not known. All of them count as known.
known_reason as (

    select
        file_id,
        kind,
        reason
    from unchanged
    where is_rest
    union
    select
        known.file_id,
        known.kind,
        known.reason
    from known
    inner join staging_rejection
        on known.file_id = staging_rejection.file_id
        and known.kind = staging_rejection.kind
        and known.reason = staging_rejection.reason
    where staging_rejection.place is null

)

delete from staging_rejection
where
    staging_rejection.kind = 'acknowledgement'
    -- Retention has dropped what was rejected. With another setting the record may have counted until now.
    or exists (
        select
        from cleared_file
        cross join night
        inner join run as tonight on night.run_id = tonight.run_id
        cross join lateral deciding_setting(
            staging_rejection.kind, cleared_file.folder, staging_rejection.reason
        ) as setting (name)
        where
            cleared_file.file_id = staging_rejection.file_id
            and (tonight.settings -> setting.name) is not distinct from (cleared_file.settings -> setting.name)
    )
    or exists (
        select
        from known
        where
            known.file_id = staging_rejection.file_id
            and known.line is not distinct from staging_rejection.line
            and known.kind = staging_rejection.kind
            and known.reason = staging_rejection.reason
    )
    or exists (
        select
        from known_reason
        where
            known_reason.file_id = staging_rejection.file_id
            and known_reason.kind = staging_rejection.kind
            and known_reason.reason = staging_rejection.reason
    );

select kind, sum(records)::bigint as records
from staging_rejection
group by kind
