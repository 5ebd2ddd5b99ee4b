-- Returns one row for each server and hour (UTC), with the number of attempts in the configured environments.
--
-- In the names of relations, a server is called a source.
with

-- A server sends many deliveries in an hour, and the planner does not know that. On its own this part is grouped by
-- hash; otherwise an order of the result would sort all deliveries first.
counted as materialized (

    select
        server,
        utc_hour(occurred_at) as hour,
        count(*) as attempts
    from (
        select
            server,
            occurred_at
        from attempt
        where is_configured and server is not null
        union all
        select
            server,
            delivered_at
        from matched
        where is_configured and server is not null
    ) as logged
    group by server, utc_hour(occurred_at)

)

select
    server,
    hour,
    attempts
from counted
