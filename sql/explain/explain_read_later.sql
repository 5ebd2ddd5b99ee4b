-- Returns the rejected last lines of files that were still being written, and that a later night read whole: the file
-- was read again with more bytes. Such a rejection is no reason any more why something is not known.
--
-- It searches the newest hundred thousand rejections. A file that was renamed before it grew is not recognized.
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

)

select distinct newest.rejection_id
from newest
inner join input_file as cut_off on newest.file_id = cut_off.file_id
inner join input_file as grown
    on cut_off.path = grown.path
    and cut_off.folder = grown.folder
    and cut_off.run_id < grown.run_id
    and cut_off.bytes < grown.bytes
where newest.reason = 'truncated' and newest.line is not null and not grown.is_withdrawn
