-- Returns one row: the number of the next closing of a period, from 1.
--
-- Takes  $1: the period.
select count(*) + 1 as closing
from period_closing
where period = $1
