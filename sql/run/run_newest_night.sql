-- Returns the newest night that was done; no row before the first night.
--
-- Gives  run_id, as_of, is_judged: no run of a past day has changed the ledger since then, is_in_future: the clock has
--        not reached its as-of
select
    run_id,
    tieout.csv_instant(as_of) as as_of,
    exists (select from tieout.judged where judged.run_id = run.run_id) as is_judged,
    as_of > clock_timestamp() as is_in_future
from tieout.run
where outcome = 'done' and not is_of_past_day
order by run_id desc
limit 1
