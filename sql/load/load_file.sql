-- Registers tonight's new files, and deletes the staged rows of the files that do not count.
--
-- A file is identified by its bytes and its folder. If a setting that rejected a part of a file has changed, the file
-- is read as if it were new, and the records in it that were loaded before are known. Of two equal files of tonight,
-- the first by path counts. A file that grew while it was read has the length of what was read. Its path keeps the
-- length that was listed, so that the next run reads it again. If a file could not be read to its end, only its
-- rejection is kept, and the next run reads the file again. A withdrawn file is known, but belongs to no file_id.
--
-- Takes  tonight_file (load_start.sql)
-- Gives  file_id of each file that is known already: loaded before, equal to another file of tonight, or withdrawn

create temporary table known_file on commit drop as
with

reconsidered as (

    select reconsidered_file(run.settings) as file_id
    from run
    where run.run_id = (select max(tonight_file.run_id) from tonight_file)

),

known as (

    select input_file.sha256, input_file.folder, max(input_file.file_id) as file_id
    from input_file
    where
        input_file.sha256 in (select tonight_file.sha256 from tonight_file)
        and input_file.file_id not in (select reconsidered.file_id from reconsidered)
        and not input_file.is_withdrawn
    group by input_file.sha256, input_file.folder

),

earliest as (

    select
        tonight_file.file_id,
        case
            when withdrawal.sha256 is null
                then coalesce(
                    known.file_id,
                    min(tonight_file.file_id)
                        over (partition by tonight_file.sha256, tonight_file.folder)
                )
        end as known_as
    from tonight_file
    left join known
        on tonight_file.sha256 = known.sha256 and tonight_file.folder = known.folder
    left join withdrawal
        on tonight_file.sha256 = withdrawal.sha256 and withdrawal.undone_at is null
    where tonight_file.sha256 is not null

)

select file_id, known_as
from earliest;

insert into input_file (
    file_id, sha256, folder, path, bytes, records, run_id, is_rejected, open_line
)
select
    tonight_file.file_id,
    tonight_file.sha256,
    tonight_file.folder,
    tonight_file.path,
    tonight_file.read_bytes,
    tonight_file.records,
    tonight_file.run_id,
    tonight_file.is_rejected,
    tonight_file.open_line
from tonight_file
inner join known_file on tonight_file.file_id = known_file.file_id
where known_file.file_id = known_file.known_as;

delete from left_out_file
using input_file, tonight_file, known_file
where
    left_out_file.file_id = input_file.file_id
    and input_file.sha256 = tonight_file.sha256
    and input_file.folder = tonight_file.folder
    and tonight_file.file_id = known_file.file_id
    and known_file.file_id = known_file.known_as;

insert into inbox_path (path, bytes, modified_ns, inode, file_id, withdrawn_sha256)
select
    tonight_file.location,
    tonight_file.bytes,
    tonight_file.modified_ns,
    tonight_file.inode,
    known_file.known_as,
    case when known_file.known_as is null then tonight_file.sha256 end
from tonight_file
inner join known_file on tonight_file.file_id = known_file.file_id
on conflict (path) do update
    set
        bytes = excluded.bytes,
        modified_ns = excluded.modified_ns,
        inode = excluded.inode,
        file_id = excluded.file_id,
        withdrawn_sha256 = excluded.withdrawn_sha256;

-- Files that the ledger contains already, or that could not be read to their end.
create temporary table dropped_file on commit drop as
select
    file_id,
    false as is_unread
from known_file
where file_id is distinct from known_as
union all
select
    file_id,
    true
from tonight_file
where sha256 is null;

delete from staging_document using dropped_file
where staging_document.file_id = dropped_file.file_id;

delete from staging_evidence using dropped_file
where staging_evidence.file_id = dropped_file.file_id;

delete from staging_delivery using dropped_file
where staging_delivery.file_id = dropped_file.file_id;

delete from staging_catalogue using dropped_file
where staging_catalogue.file_id = dropped_file.file_id;

delete from staging_client_transaction using dropped_file
where staging_client_transaction.file_id = dropped_file.file_id;

delete from staging_client_invalid_product using dropped_file
where staging_client_invalid_product.file_id = dropped_file.file_id;

delete from staging_acknowledgement using dropped_file
where staging_acknowledgement.file_id = dropped_file.file_id;

delete from staging_apple_report using dropped_file
where staging_apple_report.file_id = dropped_file.file_id;

-- An unread file keeps the rejection that says so.
delete from staging_rejection using dropped_file
where
    staging_rejection.file_id = dropped_file.file_id
    and not (dropped_file.is_unread and staging_rejection.kind = 'file');

drop table dropped_file;

select file_id
from known_file
where file_id is distinct from known_as
