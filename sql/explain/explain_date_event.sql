-- Returns one row for each event of an explained purchase that follows from its dates: its delivery is due, or its last
-- known period ends.
--
-- Takes  purchase (explain_purchase.sql), period_end (explain_period_end.sql).
-- Gives  environment, thing_key, at, event, words, file, line, pointer; the last three are null
select
    environment,
    thing_key,
    csv_instant(due_at) as at,
    'due' as event,
    'its delivery is due' as words,
    null as file,
    null::integer as line,
    null as pointer
from purchase
where due_at is not null
union all
select
    environment,
    thing_key,
    csv_instant(ended_at),
    'ended',
    event_words,
    null,
    null,
    null
from period_end
order by 1, 2, 3, 4
