-- Returns the number of missing deliveries that are uncertain, with the silences that make them uncertain, the newest
-- first: one row for each silence, or one row without a silence.
--
-- Gives  uncertain; uncovered: those that no silent server explains, because the whole log has nothing for their time;
--        server, begins_at, ends_at: the silence
with

-- An hour is silent as a whole. So thousands of uncertain deliveries are compared only once for each pair of hours
-- (judge_unheard.sql).
waited as materialized (

    select
        product_id,
        (purchased_at at time zone 'UTC')::date as bought_on,
        utc_hour(purchased_at) as bought_hour,
        utc_hour(due_at) as due_hour,
        count(*) as deliveries
    from carried_missing_delivery
    where reason = 'no_records'
    group by 1, 2, 3, 4

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

-- The stretches of a server are in order, so a silence is found by a binary search.
silent as (

    select
        server,
        range_agg(tstzrange(begins_at, ends_at)) as stretches
    from silence
    group by server

),

explained as (

    select distinct
        waited.product_id,
        waited.bought_hour,
        waited.due_hour,
        waited.deliveries
    from waited
    inner join serving
        on waited.product_id = serving.product_id and waited.bought_on = serving.bought_on
    inner join silent on serving.server = silent.server
    where tstzrange(waited.bought_hour, waited.due_hour, '[]') && silent.stretches

),

summed as (

    select
        coalesce((select sum(waited.deliveries) from waited), 0) as uncertain,
        coalesce((select sum(explained.deliveries) from explained), 0) as covered

),

-- The time for which a silence of the server matters.
listened as (

    select
        serving.server,
        range_agg(tstzrange(waited.bought_hour, waited.due_hour, '[]')) as stretches
    from waited
    inner join serving
        on waited.product_id = serving.product_id and waited.bought_on = serving.bought_on
    group by serving.server

),

mattering as (

    select
        silence.server,
        silence.begins_at,
        silence.ends_at
    from silence
    inner join listened on silence.server = listened.server
    where tstzrange(silence.begins_at, silence.ends_at) && listened.stretches

)

select
    summed.uncertain,
    summed.uncertain - summed.covered as uncovered,
    mattering.server,
    csv_instant(mattering.begins_at) as begins_at,
    csv_instant(mattering.ends_at) as ends_at
from summed
left join mattering on true
order by
    mattering.begins_at desc,
    mattering.server
