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
        told.delivery_id,
        case when told.occurred_at < attempt.occurred_at then 'a later' else 'another' end,
        told.delivery_id,
        attempt.transaction_id
    ) as words
from thing
cross join night
inner join member
    on thing.environment = member.environment and thing.thing_key = member.obligation_key
inner join delivery_record as told on member.transaction_id = told.transaction_id
inner join attempt on told.delivery_id = attempt.delivery_id
where
    told.status = 'delivered'
    and told.occurred_at <= night.as_of
    and coalesce(told.environment, thing.environment) = thing.environment
    and told.content_hash <> attempt.content_hash
    and told.transaction_id <> attempt.transaction_id
    and (
        attempt.environment <> thing.environment
        or attempt.obligation_key is distinct from thing.thing_key
    )
order by thing.environment, thing.thing_key, told.occurred_at desc, told.delivery_id
