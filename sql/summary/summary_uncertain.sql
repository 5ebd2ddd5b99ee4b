-- Returns the number of missing deliveries that are uncertain, and the number of those that no silent server explains:
-- the whole log has nothing for their time.
--
-- Gives  uncertain, uncovered
with

-- An hour is silent as a whole, as in summary_silence.sql.
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

)

select
    uncertain,
    uncertain - covered as uncovered
from summed
