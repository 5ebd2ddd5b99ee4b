-- Returns one row for each file that could not be read, in whole or in part, with what the other files of its folder
-- usually hold.
--
-- It is a file whose newest content was rejected as a file and was not withdrawn, or which a run of the as-of day could
-- not open. A later run that reads the path ends it, and so do the same bytes in another folder where they can be used.
-- It is unread since the day of the first run that rejected it. unopened_because says why it could not be opened, or
-- that it is in the wrong folder, and what to do; it is missing for a file that another content must replace.
with

-- The files that a run of the day could not open and no later run has read.
unopened as (

    select
        rejection.path,
        max(rejection.run_id) as run_id
    from night
    inner join run on is_run_of_day(run.as_of_on, run.run_id, run.outcome, night.as_of_on, night.run_id)
    inner join rejection on run.run_id = rejection.run_id
    where
        rejection.kind = 'file'
        and rejection.file_id is null
        and not exists (
            select
            from input_file
            where input_file.path = rejection.path and input_file.run_id > rejection.run_id
        )
    group by rejection.path

),

candidate as (

    select
        input_file.path,
        input_file.folder,
        input_file.run_id,
        -- A rebuild can be the first run that rejected it.
        coalesce(
            (
                select min(rejection.run_id)
                from rejection
                where
                    rejection.path = input_file.path
                    and rejection.kind = 'file'
                    and rejection.file_id is not null
                    and rejection.run_id >= input_file.run_id
                    and rejection.run_id <= night.run_id
            ),
            input_file.run_id
        ) as first_run_id
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
        -- Known bytes get no new row, but their path leads to the earlier one. The path of a deleted file stays.
        and exists (
            select
            from inbox_path
            where inbox_path.file_id = input_file.file_id
        )
        and not exists (
            select
            from input_file as elsewhere
            where
                elsewhere.sha256 = input_file.sha256
                and (
                    elsewhere.file_id > input_file.file_id
                    or (
                        elsewhere.folder <> input_file.folder
                        and not elsewhere.is_rejected
                        and not elsewhere.is_withdrawn
                    )
                )
        )
    union all
    select
        unopened.path,
        split_part(unopened.path, '/', 1),
        unopened.run_id,
        -- The first run that could not open it, after the last one that could.
        (
            select min(rejection.run_id)
            from rejection
            inner join run on rejection.run_id = run.run_id
            where
                rejection.path = unopened.path
                and rejection.run_id > coalesce(last_read.run_id, 0)
                and rejection.kind = 'file'
                and rejection.file_id is null
                and run.outcome in ('done', 'running')
                and run.as_of_on <= night.as_of_on
        )
    from unopened
    cross join night
    left join lateral (
        -- Without the group the planner would look for the highest run in the index of runs.
        select max(input_file.run_id) as run_id
        from input_file
        where input_file.path = unopened.path
        group by input_file.path
    ) as last_read on true

),

-- A file can be rejected in one run of the day and not opened by a later one. The later run counts.
unread as (

    select distinct on (candidate.path)
        candidate.path,
        candidate.folder,
        candidate.run_id,
        run.as_of_on as since
    from candidate
    inner join run on candidate.first_run_id = run.run_id
    order by candidate.path, candidate.run_id desc

),

usual as materialized (

    select
        holding.folder,
        -- The newest files of the folder are the last ones in the order of the key.
        (
            select percentile_disc(0.5) within group (order by near.records)
            from (
                select input_file.records
                from input_file
                where
                    input_file.folder = holding.folder
                    and not input_file.is_rejected
                    and not input_file.is_withdrawn
                    and input_file.records > 0
                order by input_file.file_id desc
                limit 28
            ) as near
        ) as records
    from (select distinct folder from unread) as holding

)

select
    unread.path,
    unread.folder,
    unread.since,
    newest.reason,
    usual.records as usual_records,
    newest.unopened_because
from unread
inner join usual using (folder)
left join lateral (
    select
        rejection.reason,
        -- An empty compressed file was opened. It has no number either, so that the next night reads it again.
        case
            when
                rejection.file_id is null
                and rejection.reason <> 'truncated_gzip'
                or rejection.reason = 'wrong_folder'
                then rejection.detail
        end as unopened_because
    from rejection
    cross join night
    where
        rejection.path = unread.path
        and rejection.run_id between unread.run_id and night.run_id
        and rejection.kind = 'file'
    order by rejection.run_id desc, rejection.reason
    limit 1
) as newest on true
