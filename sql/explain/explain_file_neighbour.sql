-- Returns the files beside an input file in its folder: those that had the same path, and those that were loaded last.
--
-- Takes  asked_file (explain_asked_file.sql); tieout.explained_name: its path in the inbox
-- Gives  the columns of explain_group.sql; section: healthy
select
    5 as section_place,
    'healthy' as section,
    null as property,
    row_number() over (
        order by other.path = current_setting('tieout.explained_name') desc, other.file_id desc
    ) as place,
    6 as length,
    other.path as name,
    concat(
        case when other.path = current_setting('tieout.explained_name') then 'another file of this path, ' end,
        case when other.is_withdrawn then 'withdrawn, ' end,
        case when other.is_rejected then 'could not be used as a file' else other.bytes || ' bytes' end
    ) as words,
    null::bigint as missing,
    null::bigint as delivered,
    run.as_of as at,
    null as file,
    null::bigint as line
from asked_file
inner join input_file as other on asked_file.folder = other.folder and asked_file.sha256 <> other.sha256
inner join run on other.run_id = run.run_id
where asked_file.run_id = asked_file.read_in
