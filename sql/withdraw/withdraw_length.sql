-- Returns one row for each length of loaded files that is not longer than a file on disk: the file may have grown.
--
-- Takes  $1: the length of the file, in bytes.
select distinct bytes
from input_file
where bytes between 1 and $1::bigint
