-- Returns the rejected last lines of files that were still being written, and that a later night read whole: the file
-- was read again with more bytes. Such a rejection is no reason any more why something is not known.
--
-- It is the same file if it has the same path, or if it was renamed and has the same inode. It searches the newest
-- hundred thousand rejections. A renamed file is not recognized any more once another file has its old path.
--
-- Gives  rejection_id
with

newest as (

    select
        rejection_id,
        file_id,
        line,
        reason
    from rejection
    order by rejection_id desc
    limit 100000

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

select distinct cut_off.rejection_id
from cut_off
inner join again using (rejection_id)
inner join input_file as grown on again.file_id = grown.file_id
where
    cut_off.folder = grown.folder
    and cut_off.run_id < grown.run_id
    and cut_off.bytes < grown.bytes
    and not grown.is_withdrawn
