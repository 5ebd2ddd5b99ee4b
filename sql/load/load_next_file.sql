-- Returns the number that the next new file gets.
--
-- Gives  file_id
select coalesce(max(file_id), 0) + 1 as file_id
from tieout.input_file
