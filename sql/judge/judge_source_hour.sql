-- Returns one row for each source and hour (UTC), with the number of attempts in the configured environments.
--
-- A source is the server that a delivery names.
select
    server,
    date_bin('1 hour', occurred_at, '2000-01-01T00:00:00Z') as hour,
    count(*) as attempts
from attempt
where is_configured and server is not null
group by server, date_bin('1 hour', occurred_at, '2000-01-01T00:00:00Z')
