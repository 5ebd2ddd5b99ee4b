-- Returns names that contain the explained name: what a name of which nothing is known may stand for. A server, region
-- or product also counts if it differs from the name in one character, or from a name of eight or more characters in
-- two: the Levenshtein distance of two characters that are swapped is 2. At most three of each kind, the closest first.
-- A name of fewer than four characters is a part of many others, so it can stand for a whole region only.
--
-- Errors are those of attempts in the days before as-of (cause_days), without their numbers and ids unless they are a
-- single word. An error contains the name if its text does, with these numbers or without them. Servers and regions are
-- those that delivered in these days, or whose deliveries are missing.
--
-- Takes  tieout.explained
-- Gives  kind: error, server, region, product or file; name
with

asked as (

    select
        given.name,
        length(given.name) < 4 as is_short,
        case when length(given.name) >= 8 then 2 else 1 end as most,
        night.causes_since as since,
        first_file_since(night.causes_since) as first_file_id
    from (select lower(current_setting('tieout.explained')) as name) as given
    cross join night

),

-- The delivery records and missing deliveries of the whole ledger, not only of the affected part.
error as (

    select record.error
    from asked
    inner join tieout.delivery_record as record
        on asked.first_file_id <= record.file_id
        and asked.since <= record.occurred_at
    where
        record.status <> 'delivered'
        and not asked.is_short
        -- Most unknown names are numbers, which are no error texts.
        and asked.name !~ '^[0-9]+$'
        and (
            strpos(lower(record.error), asked.name) > 0
            -- Only a # stands for the numbers.
            or (strpos(asked.name, '#') > 0 and strpos(lower(error_kind(record.error)), asked.name) > 0)
        )
    union
    select missing.last_error
    from asked
    inner join tieout.carried_missing_delivery as missing
        on strpos(lower(missing.last_error), asked.name) > 0
        or strpos(lower(error_kind(missing.last_error)), asked.name) > 0
    where not asked.is_short and asked.name !~ '^[0-9]+$'

),

known as (

    select 1 as place, 'error' as kind, coalesce(nullif(error_kind(error), '#'), error) as name
    from error
    union
    select 2, 'server', server
    from tieout.carried_missing_delivery
    union
    select 2, 'server', server
    from carried_served
    union
    select 2, 'server', server
    from carried_silent_hour
    union
    select 3, 'region', region
    from tieout.carried_missing_delivery
    union
    select 3, 'region', region
    from carried_served
    union
    select 4, 'product', product_id
    from recorded_product
    union
    select 4, 'product', product_id
    from catalogue_fact
    union
    select 5, 'file', path
    from input_file

)

select
    numbered.kind,
    numbered.name
from (
    select
        known.place,
        known.kind,
        known.name,
        row_number() over (partition by known.kind order by near.distance, known.name) as number
    from known
    cross join asked
    cross join lateral (
        select
            case
                when asked.is_short then case when known.kind = 'region' and lower(known.name) = asked.name then 0 end
                when known.kind = 'error' or strpos(lower(known.name), asked.name) > 0 then 0
                -- The function accepts at most 255 characters.
                when
                    known.kind in ('server', 'region', 'product')
                    and abs(length(known.name) - length(asked.name)) <= asked.most
                    and length(lower(known.name)) <= 255
                    and length(asked.name) <= 255
                    then bounded_distance(lower(known.name), asked.name, asked.most)
            end as distance
    ) as near
    where near.distance <= asked.most
) as numbered
where numbered.number <= 3
order by numbered.place, numbered.name
