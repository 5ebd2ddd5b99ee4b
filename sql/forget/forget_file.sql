-- Returns one row for each path of given files.
--
-- Takes  $1: an array with the numbers of the files.
select distinct path
from input_file
where file_id = any($1::integer[])
order by path
