-- Returns one row for each obligation that may have been delivered although no log contains the delivery.
--
-- For this, each source that served the product in the days before the day of the purchase (serving_days, UTC) was
-- silent at some time between purchase and due date. If no source served the product in those days, the obligation is
-- not returned.
with

waited as (

    select
        obligation.environment,
        obligation.obligation_key,
        obligation.product_id,
        (obligation.purchased_at at time zone 'UTC')::date as bought_on,
        silence.server
    from obligation
    cross join night
    inner join silence
        on obligation.due_at >= silence.begins_at and obligation.purchased_at < silence.ends_at
    where
        obligation.class in ('undelivered', 'refunded')
        and obligation.delivery = 'server'
        and obligation.due_at <= night.as_of

),

asked as (

    select distinct
        product_id,
        bought_on
    from waited

),

-- Looked up by key, because few products are needed.
serving as (

    select
        asked.product_id,
        asked.bought_on,
        source.server
    from asked
    cross join lateral (
        select distinct source_product.server
        from source_product
        where
            source_product.product_id = asked.product_id
            -- No month begins more than 30 days before one of its days.
            and source_product.month >= asked.bought_on - serving_days() - 30
            and source_product.month < asked.bought_on
            and is_served_before(asked.bought_on, source_product.days)
    ) as source

),

purchase as (

    select distinct
        environment,
        obligation_key,
        product_id,
        bought_on
    from waited

),

silent as (

    select distinct
        environment,
        obligation_key,
        server
    from waited

)

select
    purchase.environment,
    purchase.obligation_key
from purchase
inner join serving
    on purchase.product_id = serving.product_id and purchase.bought_on = serving.bought_on
left join silent
    on purchase.environment = silent.environment
    and purchase.obligation_key = silent.obligation_key
    and serving.server = silent.server
group by purchase.environment, purchase.obligation_key
having bool_and(silent.server is not null)
