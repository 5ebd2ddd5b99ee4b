-- Returns one row for each file that could not be read, the misspelled folders first and then the newest.
--
-- Takes  $1: the maximum number of rows.
select
    path,
    folder,
    since,
    reason,
    usual_records,
    unopened_because
from unread_file
order by reason is not distinct from 'misspelled_folder' desc, since desc, path
limit $1::integer
