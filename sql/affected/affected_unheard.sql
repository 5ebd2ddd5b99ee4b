-- Returns the missing deliveries whose reason tonight can change, with the columns of `obligation` that
-- judge_unheard.sql and judge_unrecorded.sql read. These queries then find those among them that are uncertain.
--
-- Takes  touched_missing (affected_touched.sql)
select
    environment,
    obligation_key,
    product_id,
    'server' as delivery,
    purchased_at,
    due_at,
    'undelivered' as class
from touched_missing
