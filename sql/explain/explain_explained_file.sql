-- Returns the explained input file: of several files that had its path, the newest one that counts. A file that was
-- read again because a setting had changed has several rows.
--
-- Takes  tieout.explained_name: its path in the inbox
-- Gives  the columns of input_file; read_in: the run that read it last
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
