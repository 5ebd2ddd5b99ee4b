-- Returns the number of missing deliveries in each age group of the page (age_groups), and apart from them of the
-- uncertain ones. The age is the time from the due date to as-of, in whole days, as in page_risk.sql.
with

aged as (

    select
        extract(epoch from night.as_of - missing.due_at) / 86400 as days,
        missing.reason = 'no_records' as is_uncertain
    from carried_missing_delivery as missing
    cross join night

)

select
    age.page_group as label,
    count(*) filter (where not aged.is_uncertain) as missing,
    count(*) filter (where aged.is_uncertain) as uncertain
from age_groups() as age
left join aged on aged.days >= age.first_day and (aged.days < age.last_day + 1 or age.last_day is null)
group by age.place, age.page_group
order by age.place
