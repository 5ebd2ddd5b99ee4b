-- Returns one row: the periods that were closed after a closing and are closed still, the newest first; null if there
-- are none.
--
-- Takes  $1: the number of the closing.
select string_agg(period, ', ' order by closing_id desc) as periods
from period_closing
where closing_id > $1::integer and reopened_at is null
