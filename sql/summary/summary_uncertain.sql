-- Returns the number of missing deliveries that are uncertain.
--
-- Gives  uncertain
select count(*) as uncertain
from carried_missing_delivery
where reason = 'no_records'
