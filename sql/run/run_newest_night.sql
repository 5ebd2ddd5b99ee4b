-- Returns one row: the as-of of the newest night that is done; null if there is none.
select tieout.csv_instant(max(as_of)) as as_of
from tieout.run
where outcome = 'done' and not is_of_past_day
