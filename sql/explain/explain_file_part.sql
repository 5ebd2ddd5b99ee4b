-- Returns the numbers under which an input file was read: one row for each.
--
-- Of several files that had this path, it is the newest one that counts. A file that was read again because a setting
-- had changed has several numbers.
--
-- Takes  tieout.explained_name: its path in the inbox
-- Gives  the columns of input_file; read_in: the run that read the file last
select
    input_file.*,
    max(input_file.run_id) over () as read_in
from (
    select
        sha256,
        folder
    from input_file
    where path = current_setting('tieout.explained_name') collate "C"
    order by is_withdrawn, file_id desc
    limit 1
) as newest
inner join input_file using (sha256, folder)
