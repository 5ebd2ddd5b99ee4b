-- Returns the newest night that was done; no row before the first night.
--
-- Gives  run_id, as_of
select
    run_id,
    tieout.csv_instant(as_of) as as_of
from tieout.run
where outcome = 'done' and not is_of_past_day
order by run_id desc
limit 1
