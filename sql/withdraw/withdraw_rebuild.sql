-- Returns one row: whether the tables contain records of a file, so that a withdrawal needs a rebuild.
--
-- Takes  $1: the file's SHA-256 in hexadecimal digits.
select exists (
    select
    from input_file
    where sha256 = decode($1, 'hex') and folder <> 'acknowledgements' and not is_withdrawn
) as is_needed
