-- Returns the newest rejection of a file or folder that could not be read, and of which nothing else is known.
--
-- Takes  tieout.explained_name: its path in the inbox
-- Gives  the columns of explain_group.sql
select
    1 as section_place,
    'sentence' as section,
    null as property,
    1::bigint as place,
    6 as length,
    rejection.path as name,
    format(
        '%s could not be used in the night of %s (%s): %s',
        rejection.path,
        csv_instant(run.as_of),
        rejection.reason,
        rejection.detail
    ) as words,
    null::bigint as missing,
    null::bigint as delivered,
    run.as_of as at,
    rejection.path as file,
    null::bigint as line
from rejection
inner join run on rejection.run_id = run.run_id
where
    rejection.path = current_setting('tieout.explained_name') collate "C"
    and rejection.kind = 'file'
    and rejection.file_id is null
order by rejection.run_id desc
limit 1
