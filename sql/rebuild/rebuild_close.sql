-- Completes a rebuild after all files that count are loaded: it keeps only the rejections that no night has recorded
-- before, and deletes again what retention had dropped.
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
        other.file_id as known_as
    from input_file as one
    inner join input_file as other on one.sha256 = other.sha256 and one.folder = other.folder

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
        file.file_id,
        rejection.line,
        rejection.kind,
        rejection.reason
    from rejection
    inner join file on rejection.file_id = file.known_as

),

-- Some rejections with these reasons were only counted, so their lines are not known. All of them count as known.
known_reason as (

    select
        file.file_id,
        rejection_rest.kind,
        rejection_rest.reason
    from rejection_rest
    inner join file on rejection_rest.file_id = file.known_as
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
