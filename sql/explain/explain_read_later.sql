-- Returns the rejections that are no reason any more why something is not known: a later night read the record again,
-- or its file was withdrawn. What that night rejected is a rejection of its own. It searches the newest rejections
-- (searched_rejections).
--
-- The same bytes were read again because a setting had changed. The last line of a file that was still being written
-- was read whole if the file was read again with more bytes. That is the same file if it has the same path, or if it
-- was renamed and has the same inode. A renamed file is not recognized any more once another file has its old path.
--
-- Gives  rejection_id
with

newest as (

    select
        rejection_id,
        run_id,
        file_id,
        line,
        reason
    from rejection
    order by rejection_id desc
    limit searched_rejections()

),

-- Each file is looked up once: one run can reject thousands of its records.
reconsidered as materialized (

    select
        rejected.run_id,
        rejected.file_id
    from (select distinct run_id, file_id from newest where file_id is not null) as rejected
    inner join input_file on rejected.file_id = input_file.file_id
    where exists (
        select
        from input_file as other
        where
            other.sha256 = input_file.sha256
            and other.folder = input_file.folder
            and other.run_id > rejected.run_id
    )

),

cut_off as materialized (

    select
        newest.rejection_id,
        input_file.file_id,
        input_file.folder,
        input_file.path,
        input_file.run_id,
        input_file.bytes
    from newest
    inner join input_file on newest.file_id = input_file.file_id
    where newest.reason = 'truncated' and newest.line is not null

),

again as (

    select
        cut_off.rejection_id,
        input_file.file_id
    from cut_off
    inner join input_file on cut_off.path = input_file.path
    union all
    select
        cut_off.rejection_id,
        renamed.file_id
    from cut_off
    inner join inbox_path as former on cut_off.file_id = former.file_id
    inner join inbox_path as renamed on former.inode = renamed.inode
    -- After a rebuild, it is 0 until a night has read the path.
    where former.inode <> 0

)

select newest.rejection_id
from newest
inner join reconsidered
    on newest.run_id = reconsidered.run_id and newest.file_id = reconsidered.file_id
union
select newest.rejection_id
from newest
inner join input_file on newest.file_id = input_file.file_id
inner join withdrawal on input_file.sha256 = withdrawal.sha256
where withdrawal.undone_at is null
union
select cut_off.rejection_id
from cut_off
inner join again using (rejection_id)
inner join input_file as grown on again.file_id = grown.file_id
where
    cut_off.folder = grown.folder
    and cut_off.run_id < grown.run_id
    and cut_off.bytes < grown.bytes
    and not grown.is_withdrawn
