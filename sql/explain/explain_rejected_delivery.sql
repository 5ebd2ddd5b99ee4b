-- Returns for each purchase without its delivery the newest rejected delivery record that contains one of its ids as a
-- separate word.
--
-- It searches the newest rejections (searched_rejections), in the part of each record that was kept. A record that was
-- read again later, or whose file was withdrawn, is left out. So is one that was corrected: a later night than the
-- first one that rejected it read another record of the same delivery.
--
-- Takes  rejected_name (explain_rejected_name.sql or explain_status_name.sql), read_later (explain_read_later.sql).
-- Gives  environment, thing_key; location: its file and line; words: a part of a sentence
with

newest as (

    select
        rejection_id,
        run_id,
        kind,
        path,
        line,
        raw
    from rejection
    -- Otherwise nothing is read.
    where exists (select from rejected_name)
    order by rejection_id desc
    limit searched_rejections()

),

naming as (

    select
        rejected_name.environment,
        rejected_name.thing_key,
        newest.rejection_id,
        newest.raw,
        newest.path || coalesce(':' || newest.line, '') as location,
        -- The record of a file that grows is rejected each time.
        min(newest.run_id) over (
            partition by rejected_name.environment, rejected_name.thing_key, newest.path, newest.line
        ) as first_run_id
    from newest
    cross join lateral regexp_split_to_table(encode(newest.raw, 'escape'), '[^A-Za-z0-9_.-]+') as word (name)
    inner join rejected_name on word.name = rejected_name.name
    where
        newest.kind = 'delivery'
        and newest.rejection_id not in (select read_later.rejection_id from read_later)

),

-- The deliveries of these purchases, with the run that read the record that applies.
attempted as materialized (

    select
        attempt.environment,
        attempt.obligation_key as thing_key,
        word_pattern(attempt.delivery_id) as pattern,
        input_file.run_id
    from (select distinct environment, thing_key from naming) as named
    inner join attempt
        on named.environment = attempt.environment and named.thing_key = attempt.obligation_key
    inner join delivery_record
        on attempt.delivery_id = delivery_record.delivery_id
        and attempt.content_hash = delivery_record.content_hash
    inner join input_file on delivery_record.file_id = input_file.file_id

)

select distinct on (naming.environment, naming.thing_key)
    naming.environment,
    naming.thing_key,
    naming.location,
    format('a delivery record with the ID was rejected (%s)', naming.location) as words
from naming
where
    not exists (
        select
        from attempted
        where
            attempted.environment = naming.environment
            and attempted.thing_key = naming.thing_key
            and attempted.run_id > naming.first_run_id
            and encode(naming.raw, 'escape') ~ attempted.pattern
    )
order by naming.environment, naming.thing_key, naming.rejection_id desc
