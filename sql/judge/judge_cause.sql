-- Returns one row for each cause: a property, or a pair of properties, that the missing deliveries have more often than
-- all owed deliveries.
--
-- It considers the deliveries that fell due in the 14 days before as-of, in whole hours, without the uncertain ones
-- (reason no_records). An unknown property is never a cause.
--
-- A cause has at least 10 missing deliveries and a lift of at least 1.5. Chance would produce it less than once in
-- twenty thousand times: its weight is at least 10, and by Chernoff's bound the chance is at most e to the power of
-- minus the weight. The rows are sorted by weight, the largest first. A pair is returned only if its weight is larger
-- than the weight of each half. There are at most 20 rows.
with

span as (

    select
        date_bin('1 hour', as_of, '2000-01-01T00:00:00Z') - interval '336 hours' as begins_at,
        date_bin('1 hour', as_of, '2000-01-01T00:00:00Z') as ends_at
    from night

),

lost as (

    select
        missing.product_id,
        missing.product_type,
        extract(hour from missing.purchased_at at time zone 'UTC')::integer as purchase_hour,
        coalesce(missing.server, '') as server,
        coalesce(missing.region, '') as region,
        coalesce(missing.app_version, '') as app_version
    from carried_missing_delivery as missing
    cross join span
    where
        missing.due_at >= span.begins_at
        and missing.due_at < span.ends_at
        and missing.reason <> 'no_records'

),

owed as (

    -- Summed over the hours first, because every grouping below reads all rows.
    select
        served.product_id,
        served.product_type,
        served.purchase_hour,
        served.server,
        served.region,
        served.app_version,
        sum(served.deliveries) as owed,
        0 as missing
    from carried_served as served
    cross join span
    where
        served.due_hour >= span.begins_at
        and served.due_hour < span.ends_at
        -- Most nights have too few missing deliveries for a cause. Then no row is read.
        and (select count(*) from lost) >= 10
    group by
        served.product_id,
        served.product_type,
        served.purchase_hour,
        served.server,
        served.region,
        served.app_version
    union all
    select
        product_id,
        product_type,
        purchase_hour,
        server,
        region,
        app_version,
        1,
        1
    from lost

),

total as (

    select
        sum(owed) as owed,
        sum(missing) as missing
    from owed

),

counted as (

    select
        array_remove(
            array[
                case when grouping(server) = 0 then 'server' end,
                case when grouping(region) = 0 then 'region' end,
                case when grouping(app_version) = 0 then 'app_version' end,
                case when grouping(product_id) = 0 then 'product_id' end,
                case when grouping(product_type) = 0 then 'product_type' end,
                case when grouping(purchase_hour) = 0 then 'purchase_hour' end
            ] collate "C",
            null
        ) as dimensions,
        array_remove(
            array[
                server,
                region,
                app_version,
                product_id,
                product_type,
                lpad(purchase_hour::text, 2, '0') || ':00'
            ] collate "C",
            null
        ) as properties,
        sum(owed) as owed,
        sum(missing) as missing
    from owed
    group by grouping sets (
        (server), (region), (app_version), (product_id), (product_type), (purchase_hour),
        (server, region), (server, app_version), (server, product_id), (server, product_type),
        (server, purchase_hour), (region, app_version), (region, product_id), (region, product_type),
        (region, purchase_hour), (app_version, product_id), (app_version, product_type),
        (app_version, purchase_hour), (product_id, product_type), (product_id, purchase_hour),
        (product_type, purchase_hour)
    )
    having sum(missing) >= 10

),

shared as (

    select
        counted.dimensions,
        counted.properties,
        counted.missing,
        counted.owed,
        counted.missing::numeric / total.missing as missing_share,
        counted.owed::numeric / total.owed as owed_share,
        counted.missing::numeric * total.owed / (counted.owed * total.missing) as lift,
        total.missing as all_missing,
        total.owed as all_owed
    from counted
    cross join total
    where '' <> all(counted.properties)

),

weighed as (

    select
        shared.*,
        missing * ln(lift)
        + case
            when missing < all_missing
                then (all_missing - missing) * ln((1 - missing_share) / (1 - owed_share))
            else 0
        end as weight
    from shared

),

-- The single properties that missing deliveries have more often. The two halves of a pair are joined separately, so
-- that both joins can use a hash.
single as (

    select
        dimensions[1] as dimension,
        properties[1] as property,
        weight
    from weighed
    where cardinality(dimensions) = 1 and lift > 1

)

select
    row_number() over (
        order by
            cause.weight desc,
            cardinality(cause.dimensions),
            cause.dimensions,
            cause.properties
    ) as place,
    cause.dimensions[1] as dimension,
    cause.properties[1] as property,
    cause.dimensions[2] as second_dimension,
    cause.properties[2] as second_property,
    cause.missing,
    cause.owed,
    cause.missing_share,
    cause.owed_share,
    cause.lift,
    cause.all_missing
from weighed as cause
left join single as first_half
    on cardinality(cause.dimensions) = 2
    and cause.dimensions[1] = first_half.dimension
    and cause.properties[1] = first_half.property
    and cause.weight <= first_half.weight
left join single as second_half
    on cardinality(cause.dimensions) = 2
    and cause.dimensions[2] = second_half.dimension
    and cause.properties[2] = second_half.property
    and cause.weight <= second_half.weight
where
    first_half.weight is null
    and second_half.weight is null
    and cause.lift >= 1.5
    and cause.weight >= 10
order by place
limit 20
