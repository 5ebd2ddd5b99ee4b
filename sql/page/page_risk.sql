-- Returns what missing deliveries cost, the money at risk, by currency, source of the amounts and whole days overdue.
--
-- Deliveries that are uncertain (`no_records`) have rows of their own. Amounts of different currencies are never added.
-- The currencies with the most deliveries come first. Currency and amounts are empty if no amount is known.
--
-- Gives  deliveries, amount: of all days overdue; age, age_deliveries, age_amount: of one range of days,
--        with a row for each range, also if it has no deliveries
with

overdue as (

    select
        missing.reason = 'no_records' as is_uncertain,
        missing.currency,
        missing.price_source,
        floor(extract(epoch from night.as_of - missing.due_at) / 86400)::integer as days,
        count(*) as deliveries,
        sum(missing.amount) as amount
    from carried_missing_delivery as missing
    cross join night
    group by is_uncertain, missing.currency, missing.price_source, days

),

-- The ranges by age: whole days overdue, from first_day to last_day.
overdue_age as (

    select *
    from (
        values
        (1, 0, 0, '0 days'),
        (2, 1, 6, '1–6 days'),
        (3, 7, 29, '7–29 days'),
        (4, 30, null, '30+ days')
    ) as listed (place, first_day, last_day, label)

),

-- Each number of days with each range.
placed as (

    select
        overdue.*,
        age.place,
        age.label,
        overdue.days >= age.first_day and coalesce(overdue.days <= age.last_day, true) as is_in_range
    from overdue
    cross join overdue_age as age

)

select
    is_uncertain,
    currency,
    price_source,
    sum(deliveries)::bigint as deliveries,
    sum(amount) as amount,
    label as age,
    coalesce(sum(deliveries) filter (where is_in_range), 0)::bigint as age_deliveries,
    sum(amount) filter (where is_in_range) as age_amount
from placed
group by is_uncertain, currency, price_source, place, label
order by
    is_uncertain,
    currency is null,
    sum(sum(deliveries)) over (partition by is_uncertain, currency) desc,
    currency,
    price_source desc,
    place
