-- Empties the ledger before it is built again from the files that count, and marks the withdrawn files.
--
-- The counts and rejections of runs stay, and so do the findings and their events. Other sessions that read the ledger
-- wait from here on until the rebuild is committed.
--
-- Leaves behind  recounted_file: the files that count no more, or again; tieout.cause: the cause of every change of
--                this night (restated_change.sql)
truncate
    document, stored_evidence, merged_transaction, stored_delivery, catalogue_fact, client_transaction,
    client_invalid_product, apple_report, apple_report_row, left_out_file;

-- Acknowledgements stay, and so does what is known about their open lines.
delete from open_record where kind <> 'acknowledgement';

-- The answers of catalogue addresses are in no file.
delete from feed_day where feed = 'receipts';

-- No carried data can be used, so everything is judged.
delete from judged;

update run
set is_rebuild = true
from night
where run.run_id = night.run_id;

create temporary table recounted_file on commit drop as
with

marked as (

    update input_file
    set is_withdrawn = withdrawal.sha256 is not null
    from input_file as file
    left join withdrawal on file.sha256 = withdrawal.sha256 and withdrawal.undone_at is null
    where
        input_file.file_id = file.file_id
        and input_file.is_withdrawn <> (withdrawal.sha256 is not null)
        -- Only a night applies acknowledgements, so the next one must find the file as new.
        and (input_file.folder <> 'acknowledgements' or withdrawal.sha256 is not null)
    returning input_file.file_id, input_file.is_withdrawn, input_file.sha256, input_file.folder

)

select
    marked.file_id,
    marked.is_withdrawn
from marked
-- After a withdrawal is undone, a night loads the file under another number. Then it counts already.
where
    marked.is_withdrawn
    or not exists (
        select
        from input_file as other
        where other.sha256 = marked.sha256 and other.folder = marked.folder and not other.is_withdrawn
    );

update inbox_path
set
    file_id = null,
    withdrawn_sha256 = input_file.sha256
from input_file
where inbox_path.file_id = input_file.file_id and input_file.is_withdrawn;

select
    set_config(
        'tieout.cause',
        case
            when exists (select from recounted_file) then 'file_withdrawn'
            else 'settings_changed'
        end,
        true
    )
