-- Returns for each purchase without an attempt the newest rejected delivery record that contains one of its ids as a
-- separate word.
--
-- It searches the newest rejections (searched_rejections), in the part of each record that was kept. A record that was
-- read again later is left out.
--
-- Takes  rejected_name (explain_rejected_name.sql or explain_status_name.sql), read_later (explain_read_later.sql).
-- Gives  environment, thing_key, path, line
with

newest as (

    select
        rejection_id,
        kind,
        path,
        line,
        raw
    from rejection
    -- Otherwise nothing is read.
    where exists (select from rejected_name)
    order by rejection_id desc
    limit searched_rejections()

)

select distinct on (rejected_name.environment, rejected_name.thing_key)
    rejected_name.environment,
    rejected_name.thing_key,
    newest.path,
    newest.line
from newest
cross join lateral regexp_split_to_table(encode(newest.raw, 'escape'), '[^A-Za-z0-9_.-]+') as word (name)
inner join rejected_name on word.name = rejected_name.name
where
    newest.kind = 'delivery'
    and newest.rejection_id not in (select read_later.rejection_id from read_later)
order by rejected_name.environment, rejected_name.thing_key, newest.rejection_id desc
