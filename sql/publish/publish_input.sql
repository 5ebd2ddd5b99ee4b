-- Returns one row: the settings of the night, and the files that counted, for the manifest of its edition.
--
-- The list that is hashed has the form of sha256sum, so it can be made from the files.
select
    csv_instant(night.as_of) as as_of,
    run.settings::text as settings,
    counted.files,
    counted.bytes,
    counted.sha256
from night
inner join run on night.run_id = run.run_id
cross join lateral (
    select
        count(*) as files,
        coalesce(sum(used.bytes), 0) as bytes,
        encode(
            sha256(convert_to(coalesce(string_agg(used.line, '' order by used.line), ''), 'UTF8')), 'hex'
        ) as sha256
    from (
        select distinct
            encode(input_file.sha256, 'hex') collate "C" || '  ' || input_file.folder || e'\n' as line,
            input_file.bytes
        from input_file
        where input_file.run_id <= night.run_id and not input_file.is_withdrawn
    ) as used
) as counted
