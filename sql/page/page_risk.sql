-- Returns what missing deliveries cost, the money at risk, by currency, source of the amounts and whole days overdue.
--
-- Deliveries that are uncertain (`no_records`) have rows of their own. Amounts of different currencies are never added.
-- The currencies with the most deliveries come first. Currency and amounts are empty if no amount is known.
with

overdue as (

    select
        missing.reason = 'no_records' as is_uncertain,
        missing.currency,
        missing.price_source,
        missing.amount,
        extract(epoch from night.as_of - missing.due_at) / 86400 as days
    from carried_missing_delivery as missing
    cross join night

)

select
    is_uncertain,
    currency,
    price_source,
    count(*) as deliveries,
    sum(amount) as amount,
    count(*) filter (where days < 1) as deliveries_to_1,
    sum(amount) filter (where days < 1) as amount_to_1,
    count(*) filter (where days >= 1 and days < 7) as deliveries_to_7,
    sum(amount) filter (where days >= 1 and days < 7) as amount_to_7,
    count(*) filter (where days >= 7 and days < 30) as deliveries_to_30,
    sum(amount) filter (where days >= 7 and days < 30) as amount_to_30,
    count(*) filter (where days >= 30) as deliveries_from_30,
    sum(amount) filter (where days >= 30) as amount_from_30
from overdue
group by is_uncertain, currency, price_source
order by
    is_uncertain,
    currency is null,
    sum(count(*)) over (partition by is_uncertain, currency) desc,
    currency,
    price_source desc
