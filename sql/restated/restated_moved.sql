-- Returns the newest editions that stand for the months that tonight has changed.
--
-- Gives  month, run_id
select
    standing_month.month,
    max(standing_month.run_id) as run_id
from standing_month
inner join (
    select distinct date_trunc('month', change.day::timestamp)::date as month
    from month_change as change
    inner join night on change.run_id = night.run_id
) as moved on standing_month.month = moved.month
group by standing_month.month
