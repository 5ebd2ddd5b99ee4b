-- Returns one row: the as-of of the newest night that is done; null if there is none.
select to_char(max(as_of) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as as_of
from tieout.run
where outcome = 'done' and not is_of_past_day
