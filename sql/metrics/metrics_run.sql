-- Returns one row: the number of the newest run since an instant; null if there is none.
--
-- Takes  $1: the instant, as RFC 3339. The clocks of two machines can differ by a second.
select max(run_id) as run_id
from run
where started_at >= $1::timestamptz - interval '1 second'
