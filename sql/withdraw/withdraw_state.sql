-- Returns one row for each given content that is an earlier state of a file: it was loaded from a path of the file.
-- Another file can begin with the same bytes.
--
-- The paths of the file are the named one, those from which its present content was loaded, and the other names of
-- these paths: a log that was renamed keeps its inode. After a rebuild, the inode is 0 until a night has read the path.
--
-- Takes  $1: the SHA-256 of the contents in hexadecimal digits (text array); $2: the path below the inbox, or on disk;
--        $3: the SHA-256 of the file's present content in hexadecimal digits.
-- Gives  sha256
with

named as (

    select $2 as path
    union
    select path
    from input_file
    where sha256 = decode($3, 'hex')

),

own as (

    select path
    from named
    union
    select other.path
    from named
    inner join inbox_path as one on named.path = one.path
    inner join inbox_path as other on one.inode = other.inode and one.inode <> 0

)

select distinct encode(input_file.sha256, 'hex') as sha256
from input_file
inner join own on input_file.path = own.path
inner join unnest($1::text []) as given (sha256) on input_file.sha256 = decode(given.sha256, 'hex')
