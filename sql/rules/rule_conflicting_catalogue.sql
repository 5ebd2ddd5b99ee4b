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
-- Sentence   The catalogues contradict each other about its product
-- Otherwise  the catalogues agree about its product
with

contradicted as (

    select
        product_id,
        member,
        currency,
        storefront,
        price_from,
        string_agg(value, ' or ' order by value) as said
    from catalogue_fact
    where
        member in (
            'type', 'delivery', 'delivery_per', 'grace_hours', 'valid_from', 'valid_to', 'price'
        )
    group by product_id, member, currency, storefront, price_from
    having
        case
            when member in ('price', 'grace_hours')
                then count(distinct case when member in ('price', 'grace_hours') then value::numeric end) > 1
            else count(*) > 1
        end

)

select
    'warning' as level,
    '' as environment,
    product_id,
    null as reason,
    string_agg(
        concat_ws(
            ' ',
            member,
            nullif(currency, ''),
            nullif(storefront, ''),
            case when price_from > '-infinity' then 'from ' || csv_instant(price_from) end
        ) || ': ' || said,
        ', '
        order by member, currency, storefront, price_from
    ) as detail
from contradicted
group by product_id
