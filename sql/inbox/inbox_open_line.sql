-- Returns one row for each path of a file that ended in a line without a line end and has not grown since. The rows of
-- a file follow one another.
select
    inbox_path.path,
    inbox_path.inode,
    input_file.file_id,
    input_file.bytes,
    encode(input_file.sha256, 'hex') as sha256
from tieout.inbox_path
inner join tieout.input_file on inbox_path.file_id = input_file.file_id
where input_file.open_line is not null and not input_file.has_grown
order by input_file.file_id
