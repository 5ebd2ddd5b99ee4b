-- Returns one row for each product, day (UTC) and source that attempted to deliver the product, with any result.
select
    product_id,
    (occurred_at at time zone 'UTC')::date as day,
    server,
    count(*) as attempts
from attempt
where is_configured and server is not null
group by product_id, (occurred_at at time zone 'UTC')::date, server
