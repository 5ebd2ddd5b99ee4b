-- Returns for each explained name the newest rejected delivery record that contains it as a separate word.
--
-- It searches the newest hundred thousand rejections, in the part of each record that was kept. A truncated record that
-- was read whole later is left out.
--
-- Takes  explained_name (explain_seed.sql), read_later (explain_read_later.sql).
-- Gives  name, path, line, reason
with

newest as (

    select
        rejection_id,
        kind,
        path,
        line,
        reason,
        raw
    from rejection
    order by rejection_id desc
    limit 100000

)

select distinct on (explained_name.name)
    explained_name.name,
    newest.path,
    newest.line,
    newest.reason
from newest
cross join lateral regexp_split_to_table(encode(newest.raw, 'escape'), '[^A-Za-z0-9_.-]+') as word (name)
inner join explained_name on word.name = explained_name.name
where
    newest.kind = 'delivery'
    and newest.rejection_id not in (select read_later.rejection_id from read_later)
order by explained_name.name, newest.rejection_id desc
