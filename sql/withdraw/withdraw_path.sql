-- Returns one row for each content that a path of the inbox has had, as it was loaded first.
--
-- Takes  $1: the path below the inbox.
select distinct on (sha256)
    path,
    encode(sha256, 'hex') as sha256,
    bytes,
    true as is_loaded
from input_file
where path = $1
order by sha256, file_id
