-- Deletes the carried rows before the first day or hour that the reports of this night cover, and moves the totals that
-- have fallen due to those that are due.
delete from carried_revenue
where day < (select revenue_since from night);

delete from carried_served
where due_hour < (select causes_since from night);

create temporary table fallen_due on commit drop as
select
    section,
    measure,
    sum(value) as value
from carried_total
where due_at > '-infinity' and due_at <= (select as_of from night)
group by section, measure;

delete from carried_total
where due_at > '-infinity' and due_at <= (select as_of from night);

insert into carried_total (section, measure, due_at, value)
select
    section,
    measure,
    '-infinity',
    value
from fallen_due
on conflict (section, measure, due_at) do update
    set value = carried_total.value + excluded.value
