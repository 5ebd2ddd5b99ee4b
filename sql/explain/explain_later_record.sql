-- Returns one row for each record after as-of that can change the answer about an explained thing: each record of a
-- delivery that is known only from after as-of, and `delivered` for a delivery that has records up to as-of.
--
-- Takes  later_delivery (explain_later_delivery.sql), attempt.
-- Gives  environment, thing_key, delivery_id, transaction_id, product_id, status, occurred_at, line
select
    environment,
    thing_key,
    delivery_id,
    transaction_id,
    product_id,
    status,
    occurred_at,
    line
from later_delivery
union all
select
    attempt.environment,
    attempt_thing(attempt.obligation_key, attempt.delivery_id),
    record.delivery_id,
    record.transaction_id,
    record.product_id,
    record.status,
    record.occurred_at,
    record.line
from attempt
cross join night
inner join delivery_record as record
    on attempt.delivery_id = record.delivery_id and attempt.transaction_id = record.transaction_id
where record.status = 'delivered' and record.occurred_at > night.as_of
