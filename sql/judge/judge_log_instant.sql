-- Returns one row for each instant at which the delivery log has attempts in the configured environments, with their
-- number.
--
-- It distinguishes a silent log from a delivery that no server attempted.
select
    occurred_at,
    count(*) as attempts
from attempt
where is_configured
group by occurred_at
