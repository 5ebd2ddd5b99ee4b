-- Returns the number of missing deliveries in seven age groups, and apart from them of the uncertain ones. The
-- age is the time from the purchase to as-of, in whole days.
with

aged as (

    select
        extract(epoch from night.as_of - missing.purchased_at) / 86400 as days,
        missing.reason = 'no_records' as is_uncertain
    from carried_missing_delivery as missing
    cross join night

)

select
    age.label,
    count(*) filter (where not aged.is_uncertain) as missing,
    count(*) filter (where aged.is_uncertain) as uncertain
from
    (
        values
        (1, '0–1', 0, 2),
        (2, '2–3', 2, 4),
        (3, '4–7', 4, 8),
        (4, '8–30', 8, 31),
        (5, '31–60', 31, 61),
        (6, '61–90', 61, 91),
        (7, 'over 90', 91, null)
    ) as age (place, label, first_day, end_day)
left join aged
    on aged.days >= age.first_day and (aged.days < age.end_day or age.end_day is null)
group by age.place, age.label
order by age.place
