-- Makes a withdrawn file count again. It has to be read again if it is in the inbox.
--
-- Takes  $1: its SHA-256 in hexadecimal digits.
--        $2: the person.
--        $3: the reason, or null.
with

to_read as (

    delete from inbox_path
    where withdrawn_sha256 = decode($1, 'hex')

)

update withdrawal
set
    undone_at = clock_timestamp(),
    undone_by = $2,
    undone_because = $3
where sha256 = decode($1, 'hex') and undone_at is null
