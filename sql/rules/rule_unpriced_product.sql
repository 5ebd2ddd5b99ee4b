-- Returns one finding for each product of which units were sold whose amount is not known.
--
-- Finds      products with purchases or renewals without an amount, from the first day of the revenue report to
--            as-of. The evidence states no price, and the catalogue has no price in exactly one currency for the
--            storefront, or the sale was an offer, which no list price covers.
-- Leaves out trials and other free purchases.
--
-- Levels     warning
-- Judges     the night
-- Exception  none
-- Reads      carried_revenue, night
-- Gives      level, environment, reason, detail
-- Key        product_id
-- Resolved   prices, catalogue, records, time
-- Sentence   Its product has no price (only if asked for)
-- Otherwise  no unit of its product was sold since revenue_since without an amount
with

unpriced as (

    select
        revenue.product_id,
        coalesce(nullif(revenue.storefront, ''), 'none named') as storefront,
        min(revenue.day) as first_day,
        sum(revenue.units_unpriced) as units,
        sum(revenue.offers_unpriced) as offers
    from carried_revenue as revenue
    where
        revenue.price_source = 'none'
        and revenue.units_unpriced > 0
        and revenue.day >= (select night.revenue_since from night)
    group by revenue.product_id, revenue.storefront

)

select
    'warning' as level,
    '' as environment,
    product_id,
    null as reason,
    concat_ws(
        ', ',
        format('units without an amount: %s since %s', sum(units), to_char(min(first_day), 'YYYY-MM-DD')),
        'storefronts without a price: '
        || string_agg(storefront, ', ' order by storefront = 'none named', storefront) filter (where units > offers),
        case when sum(offers) > 0 then format('of them in offers: %s', sum(offers)) end
    ) as detail
from unpriced
group by product_id
