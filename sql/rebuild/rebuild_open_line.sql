-- Updates the last lines without a line end, because another version of the program may read them differently.
--
-- Takes  open_line: file_id, line.
update input_file
set open_line = open_line.line
from open_line
where
    input_file.file_id = open_line.file_id
    and input_file.open_line is distinct from open_line.line
