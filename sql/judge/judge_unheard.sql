-- Returns one row for each obligation that may have been delivered although no log contains the delivery.
--
-- For this, each server that served the product in the days before the day of the purchase (serving_days, UTC) was
-- silent at some time between purchase and due date. If no server served the product in those days, the obligation is
-- not returned.
with

-- An hour is silent as a whole. So the hours of purchase and due date decide which silences are between them, and
-- thousands of obligations are compared with the silences of thousands of servers only once for each pair of hours.
waited as (

    select
        obligation.environment,
        obligation.obligation_key,
        obligation.product_id,
        (obligation.purchased_at at time zone 'UTC')::date as bought_on,
        utc_hour(obligation.purchased_at) as bought_hour,
        utc_hour(obligation.due_at) as due_hour
    from obligation
    cross join night
    -- The time in which any server was silent; null if none was.
    cross join (select range_agg(tstzrange(begins_at, ends_at)) as stretches from silence) as silent
    where
        obligation.class in ('undelivered', 'refunded')
        and obligation.delivery = 'server'
        and obligation.due_at <= night.as_of
        -- Without coalesce, the planner expects that almost no obligation overlaps, and compares each with each below.
        and coalesce(tstzrange(obligation.purchased_at, obligation.due_at, '[]') && silent.stretches, false)

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
            and is_served_before(asked.bought_on, source_product.month, source_product.days)
    ) as source

),

stretch as (

    select distinct
        product_id,
        bought_on,
        bought_hour,
        due_hour
    from waited

),

unheard_stretch as (

    select
        stretch.product_id,
        stretch.bought_hour,
        stretch.due_hour
    from stretch
    inner join serving
        on stretch.product_id = serving.product_id and stretch.bought_on = serving.bought_on
    left join silence
        on serving.server = silence.server
        and stretch.due_hour >= silence.begins_at
        and stretch.bought_hour < silence.ends_at
    group by stretch.product_id, stretch.bought_hour, stretch.due_hour
    having bool_and(silence.server is not null)

)

select
    waited.environment,
    waited.obligation_key
from waited
where
    -- With `is true` this is no join. The planner expects one stretch, and a join would compare each with each.
    (waited.product_id, waited.bought_hour, waited.due_hour) in (
        select unheard_stretch.product_id, unheard_stretch.bought_hour, unheard_stretch.due_hour
        from unheard_stretch
    ) is true
