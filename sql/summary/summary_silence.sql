-- Returns the silences that make missing deliveries uncertain, the newest first.
--
-- Gives  server, begins_at, ends_at
with

-- An hour is silent as a whole. So thousands of uncertain deliveries are compared only once for each pair of hours
-- (judge_unheard.sql).
waited as materialized (

    select distinct
        product_id,
        (purchased_at at time zone 'UTC')::date as bought_on,
        utc_hour(purchased_at) as bought_hour,
        utc_hour(due_at) as due_hour
    from carried_missing_delivery
    where reason = 'no_records'

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

-- The time for which a silence of the server matters. Its stretches are in order, so each silence is found by a binary
-- search.
listened as (

    select
        serving.server,
        range_agg(tstzrange(waited.bought_hour, waited.due_hour, '[]')) as stretches
    from waited
    inner join serving
        on waited.product_id = serving.product_id and waited.bought_on = serving.bought_on
    group by serving.server

)

select
    silence.server,
    csv_instant(silence.begins_at) as begins_at,
    csv_instant(silence.ends_at) as ends_at
from silence
inner join listened on silence.server = listened.server
where tstzrange(silence.begins_at, silence.ends_at) && listened.stretches
order by
    begins_at desc,
    silence.server
