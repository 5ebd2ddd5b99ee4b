-- Notes of each file that a rebuild has read whether it was rejected as a file, and whether a record of it was used.
--
-- Takes  $1: the numbers of the files; $2: whether each was rejected as a file; $3: whether a record of it was used
update input_file
set
    is_rejected = reading.is_rejected,
    is_used = reading.is_used
from unnest($1::integer[], $2::boolean[], $3::boolean[]) as reading (file_id, is_rejected, is_used)
inner join input_file as file on reading.file_id = file.file_id
-- A file that was read several times has several numbers.
where input_file.sha256 = file.sha256 and input_file.folder = file.folder
