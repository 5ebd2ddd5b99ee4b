-- Returns the files beside an input file in its folder: those that had the same path, and those that were loaded last.
--
-- Takes  tieout.explained_name: its path in the inbox; explained_file
-- Gives  the columns of explain_group.sql; section: healthy
with

asked as (

    select distinct
        sha256,
        folder,
        current_setting('tieout.explained_name') collate "C" as path
    from explained_file

)

select
    5 as section_place,
    'healthy' as section,
    null as property,
    row_number() over (order by other.path = asked.path desc, other.file_id desc) as place,
    6 as length,
    other.path as name,
    concat(
        case when other.path = asked.path then 'another file of this path, ' end,
        case when other.is_withdrawn then 'withdrawn, ' end,
        case when other.is_rejected then 'could not be used as a file' else other.bytes || ' bytes' end
    ) as words,
    null::bigint as missing,
    null::bigint as delivered,
    run.as_of as at,
    null as file,
    null::bigint as line
from asked
inner join input_file as other on asked.folder = other.folder and asked.sha256 <> other.sha256
inner join run on other.run_id = run.run_id
