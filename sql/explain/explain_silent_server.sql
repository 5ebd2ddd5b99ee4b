-- Returns the servers of the product of each explained obligation that were silent at some time between purchase and
-- due date, if the delivery is due and not known. If each of these servers was silent, the obligation is in unheard
-- (judge_unheard.sql).
--
-- Takes  obligation, source_product, silence of the affected part.
-- Gives  environment, obligation_key, server, begins_at
with

-- An hour is silent as a whole. So thousands of obligations are compared with the silences of thousands of servers only
-- once for each pair of hours (judge_unheard.sql).
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
        -- As in judge_unheard.sql: without coalesce, the planner expects that almost no obligation overlaps.
        and coalesce(tstzrange(obligation.purchased_at, obligation.due_at, '[]') && silent.stretches, false)

),

-- A server can have served a product in two months.
serving as (

    select distinct
        asked.product_id,
        asked.bought_on,
        source_product.server
    from (select distinct product_id, bought_on from waited) as asked
    inner join source_product
        on asked.product_id = source_product.product_id
        and is_served_before(asked.bought_on, source_product.month, source_product.days)

),

heard as materialized (

    select
        stretch.product_id,
        stretch.bought_on,
        stretch.bought_hour,
        stretch.due_hour,
        silence.server,
        silence.begins_at
    from (select distinct product_id, bought_on, bought_hour, due_hour from waited) as stretch
    inner join serving
        on stretch.product_id = serving.product_id and stretch.bought_on = serving.bought_on
    inner join silence
        on serving.server = silence.server
        and stretch.due_hour >= silence.begins_at
        and stretch.bought_hour < silence.ends_at

)

select
    waited.environment,
    waited.obligation_key,
    heard.server,
    heard.begins_at
from waited
inner join heard
    on waited.product_id = heard.product_id
    and waited.bought_on = heard.bought_on
    and waited.bought_hour = heard.bought_hour
    and waited.due_hour = heard.due_hour
