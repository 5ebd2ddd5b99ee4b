-- Returns the deliveries of the explained purchases whose record that applies is contradicted: another record of the
-- same revision and instant names another transaction or product.
--
-- Takes  thing.
-- Gives  environment, thing_key, delivery_id; words: a part of a sentence
select distinct
    attempt.environment,
    attempt.obligation_key as thing_key,
    attempt.delivery_id,
    format('records of %s contradict each other', attempt.delivery_id) as words
from thing
inner join attempt
    on thing.environment = attempt.environment and thing.thing_key = attempt.obligation_key
inner join delivery
    on attempt.environment = delivery.environment and attempt.delivery_id = delivery.delivery_id
inner join delivery_record as other
    on delivery.delivery_id = other.delivery_id
    and delivery.revision = other.revision
    and delivery.occurred_at = other.occurred_at
where
    delivery.is_conflicting
    and (delivery.transaction_id <> other.transaction_id or delivery.product_id <> other.product_id)
