-- Returns for each explained purchase the newest record that said delivered for it, if another record of that delivery
-- applies and names another transaction: an id was used for two deliveries.
--
-- Takes  thing.
-- Gives  environment, thing_key; words: a part of a sentence
select distinct on (thing.environment, thing.thing_key)
    thing.environment,
    thing.thing_key,
    format(
        'delivery %s said delivered for it; %s record of %s names %s',
        delivery_record.delivery_id,
        case when delivery_record.occurred_at < attempt.occurred_at then 'a later' else 'another' end,
        delivery_record.delivery_id,
        attempt.transaction_id
    ) as words
from thing
cross join night
inner join member
    on thing.environment = member.environment and thing.thing_key = member.obligation_key
inner join delivery_record on member.transaction_id = delivery_record.transaction_id
inner join attempt on delivery_record.delivery_id = attempt.delivery_id
where
    delivery_record.status = 'delivered'
    and delivery_record.occurred_at <= night.as_of
    and coalesce(delivery_record.environment, thing.environment) = thing.environment
    and delivery_record.content_hash <> attempt.content_hash
    and delivery_record.transaction_id <> attempt.transaction_id
    and (
        attempt.environment <> thing.environment
        or attempt.obligation_key is distinct from thing.thing_key
    )
order by thing.environment, thing.thing_key, delivery_record.occurred_at desc, delivery_record.delivery_id
