-- Returns one row: the number after those of all closings of a period, from 1.
--
-- Takes  $1: the period.
select coalesce(max(closing), 0) + 1 as closing
from period_closing
where period = $1
