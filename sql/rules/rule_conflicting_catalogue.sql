-- Returns one finding for each identifier about which two catalogue entries contradict each other.
--
-- Finds      identifiers with two values for one member, or two prices for one currency, storefront and beginning.
--            Numbers and instants are compared by value.
-- Leaves out the members that say who lists the identifier and whether it is for sale: both sides may list it, and
--            sales begin and end.
--
-- Levels     warning
-- Judges     the night
-- Exception  none
-- Reads      catalogue_fact
-- Gives      level, environment, reason, detail
-- Key        product_id
-- Resolved   catalogue, prices
-- Sentence   The catalogues contradict each other about its product
-- Otherwise  the catalogues agree about its product
with

stated as (

    select
        product_id,
        member,
        currency,
        storefront,
        price_from,
        value,
        case when member in ('price', 'grace_hours') then value::numeric end as number
    from catalogue_fact
    where
        member in (
            'type', 'delivery', 'delivery_per', 'grace_hours', 'valid_from', 'valid_to', 'price'
        )

),

-- One text of each value: of 9.99 and 9.990 the shorter one.
distinct_value as (

    select distinct on (product_id, member, currency, storefront, price_from, coalesce(trim_scale(number)::text, value))
        *
    from stated
    order by
        product_id,
        member,
        currency,
        storefront,
        price_from,
        coalesce(trim_scale(number)::text, value),
        scale(number),
        value

),

-- The value that applies comes first.
contradicted as (

    select
        product_id,
        member,
        currency,
        storefront,
        price_from,
        string_agg(value, ' or ' order by number, value) as said
    from distinct_value
    group by product_id, member, currency, storefront, price_from
    having count(*) > 1

)

select
    'warning' as level,
    '' as environment,
    product_id,
    null as reason,
    string_agg(
        fact_words(member, currency, storefront, price_from) || ': ' || said,
        ', '
        order by member, currency, storefront, price_from
    ) as detail
from contradicted
group by product_id
