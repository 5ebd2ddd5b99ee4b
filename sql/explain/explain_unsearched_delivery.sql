-- Returns for each explained purchase what may contain an attempt that no search finds: rejected delivery records whose
-- text was not kept, and unreadable files of deliveries/.
--
-- A run whose as-of is before the purchase has read no attempt for it; a run of a past day may have. For a file that
-- could be opened, the day since which it is unreadable decides. Rejected records do not count any more after their
-- file was withdrawn or read again, or after a file with other bytes was read at its path. Of the rejections that are
-- stored, the newest are looked at (searched_rejections), and all that were only counted.
--
-- Takes  thing, rejected_name (explain_rejected_name.sql or explain_status_name.sql), unread_file
--        (judge_unread_file.sql).
-- Gives  environment, thing_key; words: a part of a sentence
with

-- The first purchase of a chain.
bought as (

    select
        thing.environment,
        thing.thing_key,
        min(family.purchased_at) as purchased_at
    from thing
    inner join family
        on thing.environment = family.environment and thing.thing_key = family.obligation_key
    -- Otherwise nothing is read.
    where exists (select from rejected_name)
    group by thing.environment, thing.thing_key

),

newest as (

    select
        run_id,
        file_id,
        kind,
        octet_length(raw) as raw_length
    from rejection
    where exists (select from bought)
    order by rejection_id desc
    limit searched_rejections()

),

unkept as (

    select
        run_id,
        file_id,
        count(*) as records
    from newest
    where kind = 'delivery' and coalesce(raw_length, 0) = 0
    group by run_id, file_id
    union all
    select
        run_id,
        file_id,
        records
    from rejection_rest
    where kind = 'delivery' and records > 0

),

lost as materialized (

    select
        rejected.path,
        run.as_of,
        run.is_of_past_day,
        sum(unkept.records) as records
    from unkept
    inner join input_file as rejected on unkept.file_id = rejected.file_id
    inner join run on unkept.run_id = run.run_id
    where
        not exists (
            select
            from withdrawal
            where withdrawal.sha256 = rejected.sha256 and withdrawal.undone_at is null
        )
        and not exists (
            select
            from input_file as later
            where later.path = rejected.path and later.file_id > rejected.file_id
        )
        and not exists (
            select
            from input_file as again
            where
                again.sha256 = rejected.sha256
                and again.folder = rejected.folder
                and again.run_id > unkept.run_id
        )
    group by rejected.path, run.as_of, run.is_of_past_day

),

part as (

    select
        bought.environment,
        bought.thing_key,
        1 as place,
        format(
            case
                when sum(lost.records) = 1
                    then '%s rejected delivery record (%s%s) was not searched, because its text was not kept'
                else '%s rejected delivery records (%s%s) were not searched, because their text was not kept'
            end,
            sum(lost.records),
            (array_agg(lost.path order by lost.as_of desc, lost.path))[1],
            ' and ' || nullif(count(distinct lost.path) - 1, 0) || ' more'
        ) as words
    from bought
    inner join lost on lost.is_of_past_day or bought.purchased_at <= lost.as_of
    group by bought.environment, bought.thing_key
    union all
    select
        bought.environment,
        bought.thing_key,
        2,
        format(
            case
                when count(*) = 1 then 'a file of deliveries/ is unreadable (%s), so an attempt may be missing'
                else '%2$s files of deliveries/ are unreadable (%1$s and others), so an attempt may be missing'
            end,
            (array_agg(unread_file.path order by unread_file.since desc, unread_file.path))[1],
            count(*)
        )
    from bought
    cross join night
    inner join unread_file
        on unread_file.folder = 'deliveries'
        -- No record of a file in the wrong folder is a delivery.
        and unread_file.reason is distinct from 'wrong_folder'
        and (
            unread_file.unopened_because is not null
            or (bought.purchased_at at time zone night.time_zone)::date <= unread_file.since
        )
    group by bought.environment, bought.thing_key

)

select
    environment,
    thing_key,
    string_agg(words, ', and ' order by place) as words
from part
group by environment, thing_key
