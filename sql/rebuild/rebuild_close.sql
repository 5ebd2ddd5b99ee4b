-- Completes a rebuild after all files that count are loaded: it keeps only the rejections that are new, and deletes
-- again what retention had dropped.
--
-- A rejection is known if a run has recorded it, and if the setting that decides about it (deciding_setting) was the
-- same when the file was read last. Otherwise the record may have counted until now.
--
-- Leaves behind  staging_rejection: the rejections that are new, for load_rejection.sql
--
-- Gives  kind, and the number of new rejections of that kind

delete from document using input_file, run
where
    document.file_id = input_file.file_id
    and input_file.run_id = run.run_id
    and run.is_cleared;

-- load_rejection.sql reads the files of tonight's rejections here.
create temporary table tonight_file on commit drop as
select
    night.run_id,
    input_file.file_id,
    input_file.path
from input_file
cross join night;

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

),

-- A rebuild reads all files that are known when it begins.
earlier_rebuild as (

    select max(run.run_id) as run_id
    from run
    where run.is_rebuild and run.run_id <> (select night.run_id from night)

),

told as (

    select
        file.file_id,
        told.run_id,
        told.line,
        told.is_rest,
        told.kind,
        told.reason
    from (
        select run_id, file_id, line, kind, reason, false as is_rest from rejection
        union all
        select run_id, file_id, null, kind, reason, true from rejection_rest
    ) as told
    inner join file on told.file_id = file.known_as
    inner join run on told.run_id = run.run_id
    cross join earlier_rebuild
    inner join run as latest on greatest(file.read_in, earlier_rebuild.run_id) = latest.run_id
    where
        run.settings -> deciding_setting(told.kind, file.folder, told.reason)
        is not distinct from latest.settings -> deciding_setting(told.kind, file.folder, told.reason)

),

cleared as (

    select distinct file.file_id
    from file
    inner join input_file on file.known_as = input_file.file_id
    inner join run on input_file.run_id = run.run_id
    where run.is_cleared

),

known as (

    select distinct
        file_id,
        line,
        kind,
        reason
    from told
    where not is_rest

),

-- Some rejections with these reasons were only counted, so their lines are not known. All of them count as known.
known_reason as (

    select
        file_id,
        kind,
        reason
    from told
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
    or staging_rejection.file_id in (select cleared.file_id from cleared)
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
