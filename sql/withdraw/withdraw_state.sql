-- Returns one row for each given content that is an earlier state of a file: it was loaded from a path of the file.
-- Another file can begin with the same bytes. A compressed content that was rejected was cut off: it is no earlier
-- state but a damaged file, which the present content replaced.
--
-- The paths of the file are the named one, those from which its present content was loaded, and those whose file had
-- the same inode: a log that was renamed keeps it. After a rebuild, an inode is 0 until a night has read the file.
--
-- Takes  $1: the SHA-256 of the contents in hexadecimal digits (text array); $2: the path below the inbox, or on disk;
--        $3: the SHA-256 of the file's present content in hexadecimal digits; $4: the file's inode; $5: whether the
--        file is compressed.
-- Gives  sha256
with

present as (

    select
        file_id,
        path
    from input_file
    where sha256 = decode($3, 'hex')

),

own as (

    select $2 as path
    union
    select path
    from present
    union
    select input_file.path
    from inbox_path
    inner join input_file on inbox_path.file_id = input_file.file_id
    where
        inbox_path.inode <> 0
        and (
            inbox_path.inode = $4::bigint
            or inbox_path.inode in (
                select known.inode
                from inbox_path as known
                where known.file_id in (select present.file_id from present)
            )
        )

)

select distinct encode(input_file.sha256, 'hex') as sha256
from input_file
inner join own on input_file.path = own.path
inner join unnest($1::text []) as given (sha256) on input_file.sha256 = decode(given.sha256, 'hex')
where not ($5::boolean and input_file.is_rejected)
