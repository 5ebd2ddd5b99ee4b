-- The instants at which the content servers' log has attempts of the configured environments, and how
-- many: what tells a silent log from a delivery that nobody tried.
select
    occurred_at,
    count(*) as attempts
from attempt
where is_configured
group by occurred_at
