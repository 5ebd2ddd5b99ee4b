-- Returns the editions that stand for the months that tonight has changed.
--
-- Gives  month, run_id
select
    standing_month.month,
    standing_month.run_id
from standing_month
inner join (
    select distinct date_trunc('month', restated_entry.day::timestamp)::date as month
    from restated_entry
    inner join night on restated_entry.run_id = night.run_id
) as moved on standing_month.month = moved.month
