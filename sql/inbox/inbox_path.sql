-- Returns one row for each file of the inbox that does not have to be read unless it has changed, ordered by path.
--
-- Takes  $1: tonight's settings, a JSON object.
select
    path,
    bytes,
    modified_ns,
    inode
from inbox_path
where
    -- A withdrawn file is not read.
    file_id is null
    or file_id not in (select reconsidered_file($1::jsonb))
order by path
