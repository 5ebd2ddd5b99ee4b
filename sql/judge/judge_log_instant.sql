-- Returns one row for each instant at which the delivery log has attempts in the configured environments, with their
-- number.
--
-- It distinguishes a silent log from a delivery that no server attempted.
select
    occurred_at,
    count(*) as attempts
from (
    select occurred_at
    from attempt
    where is_configured
    union all
    select delivered_at
    from matched
    where is_configured and delivered_at is not null
) as logged
group by occurred_at
