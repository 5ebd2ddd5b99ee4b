-- Returns one row: the first of tonight's files that were withdrawn and had been loaded from other folders only, and
-- the number of these files. Such a file was probably withdrawn because it was in the wrong folder, and then moved.
--
-- Takes  tonight_file (load_start.sql)
-- Gives  path: missing if there is no such file; files
select
    min(tonight_file.path) as path,
    count(*) as files
from tonight_file
inner join withdrawal on tonight_file.sha256 = withdrawal.sha256
where
    withdrawal.undone_at is null
    and exists (
        select
        from input_file
        where input_file.sha256 = tonight_file.sha256
    )
    and not exists (
        select
        from input_file
        where input_file.sha256 = tonight_file.sha256 and input_file.folder = tonight_file.folder
    )
