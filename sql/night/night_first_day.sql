-- Returns the first day of the revenue that the night reports. Revenue before it is not stored.
--
-- Gives  revenue_since
select revenue_since
from night
