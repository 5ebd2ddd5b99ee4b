-- After the load of all files that count: only what no night rejected is rejected now, and what retention
-- had dropped is dropped again.
--
-- Gives  kind, and how many of it were rejected for the first time

delete from document using input_file, run
where
    document.file_id = input_file.file_id
    and input_file.run_id = run.run_id
    and run.is_cleared;

-- Found out before anything is inserted (load_document.sql).
create temporary table new_rejection on commit drop as
with

-- A file that was read again by other settings has several numbers.
file as (

    select
        one.file_id,
        one.path,
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

)

select
    night.run_id,
    input_file.file_id,
    input_file.path,
    staging_rejection.line,
    staging_rejection.kind,
    staging_rejection.reason,
    staging_rejection.detail,
    staging_rejection.excerpt,
    staging_rejection.raw,
    staging_rejection.raw_bytes
from staging_rejection
inner join input_file on staging_rejection.file_id = input_file.file_id
cross join night
where
    staging_rejection.file_id not in (select cleared.file_id from cleared)
    and not exists (
        select
        from known
        where
            known.file_id = staging_rejection.file_id
            and known.line is not distinct from staging_rejection.line
            and known.kind = staging_rejection.kind
            and known.reason = staging_rejection.reason
    );

insert into rejection (
    run_id, file_id, path, line, kind, reason, detail, excerpt, raw, raw_bytes
)
select
    run_id, file_id, path, line, kind, reason, detail, excerpt, raw, raw_bytes
from new_rejection
order by path, line nulls first, kind;

select kind, count(*) from new_rejection group by kind
