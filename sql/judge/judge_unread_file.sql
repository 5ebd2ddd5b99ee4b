-- Returns one row for each file that could not be read, in whole or in part, with what the other files of its folder
-- usually hold.
--
-- It is a file whose newest content was rejected as a file and was not withdrawn, or which a run of the as-of day could
-- not open. A later run that reads the path, or the same bytes in another folder, ends it. It is unread since the day
-- of the first run that rejected it.
with

unread as (

    select
        input_file.path,
        input_file.folder,
        input_file.run_id,
        input_file.run_id as first_run_id
    from input_file
    cross join night
    where
        input_file.is_rejected
        and input_file.run_id <= night.run_id
        and not input_file.is_withdrawn
        and not exists (
            select
            from input_file as later
            where later.path = input_file.path and later.file_id > input_file.file_id
        )
        and not exists (
            select
            from input_file as elsewhere
            where
                elsewhere.sha256 = input_file.sha256
                and elsewhere.file_id > input_file.file_id
        )
    union all
    select
        rejection.path,
        split_part(rejection.path, '/', 1),
        max(rejection.run_id),
        -- The first run that could not open it, after the last one that could.
        (
            select min(earlier.run_id)
            from rejection as earlier
            inner join run as earlier_run on earlier.run_id = earlier_run.run_id
            where
                earlier.path = rejection.path
                and earlier.kind = 'file'
                and earlier.file_id is null
                and earlier_run.outcome in ('done', 'running')
                and earlier_run.as_of_on <= night.as_of_on
                and earlier.run_id > coalesce(
                    (
                        select max(input_file.run_id)
                        from input_file
                        where input_file.path = rejection.path
                    ),
                    0
                )
        )
    from night
    inner join run on night.as_of_on = run.as_of_on
    inner join rejection on run.run_id = rejection.run_id
    where
        run.outcome in ('done', 'running')
        and run.run_id <= night.run_id
        and rejection.kind = 'file'
        and rejection.file_id is null
        and not exists (
            select
            from input_file
            where input_file.path = rejection.path and input_file.run_id > rejection.run_id
        )
    group by rejection.path, night.as_of_on

)

-- A file can be rejected in one run of the day and closed to a later one. The later run counts.
select distinct on (unread.path)
    unread.path,
    unread.folder,
    first_run.as_of_on as since,
    (
        select rejection.reason
        from rejection
        where
            rejection.run_id = unread.run_id
            and rejection.kind = 'file'
            and rejection.path = unread.path
        order by rejection.reason
        limit 1
    ) as reason,
    usual.records as usual_records
from unread
inner join run as first_run on unread.first_run_id = first_run.run_id
left join lateral (
    -- The newest files of the folder are the last ones in the order of the key.
    select percentile_disc(0.5) within group (order by near.records) as records
    from (
        select input_file.records
        from input_file
        where
            input_file.folder = unread.folder
            and not input_file.is_rejected
            and not input_file.is_withdrawn
            and input_file.records > 0
        order by input_file.file_id desc
        limit 28
    ) as near
) as usual on true
order by unread.path, unread.run_id desc
