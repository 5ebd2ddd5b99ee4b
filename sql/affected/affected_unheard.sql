-- Returns the missing deliveries whose reason a silence can change, with the columns of `obligation` that
-- judge_unheard.sql reads. That query then finds those among them that are uncertain.
select
    environment,
    obligation_key,
    product_id,
    'server' as delivery,
    purchased_at,
    due_at,
    'undelivered' as class
from carried_missing_delivery
where reason in ('never_attempted', 'no_records')
