-- Returns one row for each product, month (UTC) and server that attempted to deliver the product, with any result: the
-- days of the attempts, in order, and the number of attempts of each day.
with

counted as (

    select
        product_id,
        (since_midnight at time zone 'UTC')::date as day,
        server,
        attempts
    from (
        select
            product_id,
            utc_day(occurred_at) as since_midnight,
            server,
            count(*)::integer as attempts
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
        group by product_id, utc_day(occurred_at), server
    ) as binned

)

select
    product_id,
    date_trunc('month', day::timestamp)::date as month,
    server,
    array_agg(day order by day) as days,
    array_agg(attempts order by day) as attempts
from counted
group by product_id, date_trunc('month', day::timestamp)::date, server
