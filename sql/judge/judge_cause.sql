-- Returns one row for each cause: a property, or a pair of properties, that the missing deliveries have more often than
-- all owed deliveries.
--
-- It considers the deliveries that fell due in the days before as-of (cause_days), in whole hours, without the
-- uncertain ones (reason no_records). An unknown property is never a cause.
--
-- A cause has a minimum number of missing deliveries (cause_deliveries), a minimum lift (cause_lift) and a minimum
-- weight (cause_weight). By Chernoff's bound, the probability that chance produces it is at most e to the power of
-- minus the weight: less than 1 in 20,000. The rows are sorted by weight, the largest first. A pair is returned only if
-- its weight is larger than the weight of each half. There are at most 20 rows.
--
-- Deliveries that were made rarely have an error, so an error alone says little about where the problem is: it comes
-- last. A pair with an error is measured differently: how often the other property occurs among the missing deliveries
-- with that error, compared with all owed deliveries. Such a pair may weigh less than the error alone.
with

span as (

    select
        causes_since as begins_at,
        causes_until as ends_at,
        array[
            'server', 'region', 'app_version', 'product_id', 'product_type', 'attempt_hour', 'purchase_hour', 'day',
            'error'
        ] collate "C" as dimensions
    from night

),

-- The properties in the order of the dimensions. One that is unknown is the empty text.
lost as (

    select
        array[
            coalesce(missing.server, ''),
            coalesce(missing.region, ''),
            coalesce(missing.app_version, ''),
            missing.product_id,
            missing.product_type,
            coalesce(to_char(missing.last_attempt_at at time zone 'UTC', 'HH24:00'), ''),
            to_char(missing.purchased_at at time zone 'UTC', 'HH24:00'),
            to_char(coalesce(missing.last_attempt_at, missing.purchased_at) at time zone 'UTC', 'YYYY-MM-DD'),
            coalesce(error_kind(missing.last_error), '')
        ] collate "C" as properties
    from carried_missing_delivery as missing
    cross join span
    where
        missing.due_at >= span.begins_at
        and missing.due_at < span.ends_at
        and missing.reason <> 'no_records'

),

served as (

    select
        array[
            served.server,
            served.region,
            served.app_version,
            served.product_id,
            served.product_type,
            to_char(served.attempt_hour at time zone 'UTC', 'HH24:00'),
            lpad(served.purchase_hour::text, 2, '0') || ':00',
            to_char(served.attempt_hour at time zone 'UTC', 'YYYY-MM-DD'),
            served.error
        ] collate "C" as properties,
        served.deliveries
    from carried_served as served
    cross join span
    where
        served.due_hour >= span.begins_at
        and served.due_hour < span.ends_at
        -- Most nights have too few missing deliveries for a cause. Then no row is read.
        and (select count(*) from lost) >= cause_deliveries()

),

-- The properties that enough missing deliveries have, each with the number of its dimension. The others are left out,
-- so that few rows remain.
frequent as (

    select
        named.number,
        named.property
    from lost
    cross join lateral unnest(lost.properties) with ordinality as named (property, number)
    where named.property <> ''
    group by
        named.number,
        named.property
    having count(*) >= cause_deliveries()

),

owed as (

    select
        array[
            case when properties[1] in (select property from frequent where number = 1) then properties[1] else '' end,
            case when properties[2] in (select property from frequent where number = 2) then properties[2] else '' end,
            case when properties[3] in (select property from frequent where number = 3) then properties[3] else '' end,
            case when properties[4] in (select property from frequent where number = 4) then properties[4] else '' end,
            case when properties[5] in (select property from frequent where number = 5) then properties[5] else '' end,
            case when properties[6] in (select property from frequent where number = 6) then properties[6] else '' end,
            case when properties[7] in (select property from frequent where number = 7) then properties[7] else '' end,
            case when properties[8] in (select property from frequent where number = 8) then properties[8] else '' end,
            case when properties[9] in (select property from frequent where number = 9) then properties[9] else '' end
        ] as properties,
        sum(owed) as owed,
        sum(missing) as missing
    from (
        select properties, 1 as owed, 1 as missing from lost
        union all
        select properties, deliveries, 0 from served
    ) as one
    group by 1

),

total as (

    select
        sum(owed) as owed,
        sum(missing) as missing
    from owed

),

-- Every dimension, and every pair of two. The hours of attempt and purchase are mostly the same, so they make no pair.
dimension_pair as (

    select
        first.number,
        second.number as second_number
    from generate_series(1, 9) as first (number)
    cross join generate_series(1, 10) as second (number)
    where second.number > first.number and (first.number, second.number) <> (6, 7)

),

-- Those in which enough missing deliveries agree. The missing deliveries are few, so this costs little. In all other
-- pairs the many owed deliveries are not counted.
shared_by_missing as materialized (

    select distinct
        number,
        second_number
    from (
        select
            dimension_pair.number,
            dimension_pair.second_number
        from lost
        cross join dimension_pair
        where
            lost.properties[dimension_pair.number] <> ''
            and lost.properties[dimension_pair.second_number] is distinct from ''
        group by
            dimension_pair.number,
            dimension_pair.second_number,
            lost.properties[dimension_pair.number],
            lost.properties[dimension_pair.second_number]
        having count(*) >= cause_deliveries()
    ) as agreeing

),

counted_by_number as (

    select
        dimension_pair.number,
        owed.properties[dimension_pair.number] as property,
        dimension_pair.second_number,
        owed.properties[dimension_pair.second_number] as second_property,
        sum(owed.owed) as owed,
        sum(owed.missing) as missing
    from owed
    cross join shared_by_missing as dimension_pair
    where
        owed.properties[dimension_pair.number] <> ''
        and owed.properties[dimension_pair.second_number] is distinct from ''
    group by
        dimension_pair.number,
        owed.properties[dimension_pair.number],
        dimension_pair.second_number,
        owed.properties[dimension_pair.second_number]
    having sum(owed.missing) >= cause_deliveries()

),

counted as (

    select
        counted_by_number.*,
        span.dimensions[counted_by_number.number] as dimension,
        span.dimensions[counted_by_number.second_number] as second_dimension
    from counted_by_number
    cross join span

),

shared as (

    select
        counted.*,
        total.missing as all_missing,
        counted.missing::numeric / total.missing as missing_share,
        counted.owed::numeric / total.owed as owed_share,
        counted.missing::numeric * total.owed / (counted.owed * total.missing) as lift,
        coalesce(symptom.missing, total.missing) as compared_missing,
        counted.missing::numeric / coalesce(symptom.missing, total.missing) as compared_share,
        coalesce(half.owed, counted.owed)::numeric / total.owed as expected_share
    from counted
    cross join total
    left join counted as symptom
        on counted.second_dimension = 'error'
        and symptom.dimension = 'error'
        and counted.second_property = symptom.property
    left join counted as half
        on counted.second_dimension = 'error'
        and half.second_dimension is null
        and counted.dimension = half.dimension
        and counted.property = half.property

),

weighed as (

    select
        shared.*,
        missing * ln(compared_share / expected_share)
        + case
            when missing < compared_missing
                then (compared_missing - missing) * ln((1 - compared_share) / (1 - expected_share))
            else 0
        end as weight
    from shared

),

-- The single properties that missing deliveries have more often. The two halves of a pair are joined separately, so
-- that both joins can use a hash.
single as (

    select
        dimension,
        property,
        weight
    from weighed
    where second_dimension is null and dimension <> 'error' and lift > 1

)

select
    row_number() over (
        order by
            cause.dimension = 'error',
            cause.weight desc,
            cause.second_dimension is not null,
            cause.number,
            cause.second_number,
            cause.property,
            cause.second_property
    ) as place,
    cause.dimension,
    cause.property,
    cause.second_dimension,
    cause.second_property,
    cause.missing,
    cause.owed,
    cause.missing_share,
    cause.owed_share,
    cause.lift,
    cause.all_missing
from weighed as cause
left join single as first_half
    on cause.second_dimension is not null
    and cause.dimension = first_half.dimension
    and cause.property = first_half.property
    and cause.weight <= first_half.weight
left join single as second_half
    on cause.second_dimension = second_half.dimension
    and cause.second_property = second_half.property
    and cause.weight <= second_half.weight
where
    first_half.weight is null
    and second_half.weight is null
    and cause.lift >= cause_lift()
    and cause.compared_share >= cause_lift() * cause.expected_share
    and cause.weight >= cause_weight()
order by place
limit 20
