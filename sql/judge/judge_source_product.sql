-- Returns one row for each product, day (UTC) and source that attempted to deliver the product, with any result.
select
    product_id,
    (since_midnight at time zone 'UTC')::date as day,
    server,
    attempts
from (
    select
        product_id,
        date_bin('1 day', occurred_at, '2000-01-01T00:00:00Z') as since_midnight,
        server,
        count(*) as attempts
    from (
        select
            product_id,
            occurred_at,
            server
        from attempt
        where is_configured and server is not null
        union all
        select
            product_id,
            delivered_at,
            server
        from matched
        where is_configured and server is not null
    ) as logged
    group by product_id, date_bin('1 day', occurred_at, '2000-01-01T00:00:00Z'), server
) as counted
