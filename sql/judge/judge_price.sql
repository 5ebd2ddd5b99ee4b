-- Returns one row for each product, storefront and period in which the same prices are in force.
--
-- Storefront '' applies if the product has no price in force for a storefront. Currency and price are null unless the
-- prices in force are in exactly one currency. A price ends only when the next price of its currency begins. So a
-- currency that has begun stays in force, and it is enough to count the currencies that have begun. This takes one
-- pass, however many prices a product has.
with

listed as (

    -- One price for each currency, storefront and beginning: the smallest. Of equal prices, the one with the shortest
    -- text.
    select distinct on (product_id, storefront, currency, price_from)
        product_id,
        storefront,
        currency,
        price_from,
        value::numeric as price
    from catalogue_fact
    where member = 'price'
    order by product_id, storefront, currency, price_from, value::numeric, length(value), value

),

begun as (

    select
        product_id,
        storefront,
        currency,
        price_from,
        price,
        row_number() over (
            partition by product_id, storefront, currency
            order by price_from
        ) = 1 as is_first_of_currency
    from listed

),

counted as (

    -- Prices that begin at the same instant are counted together, because in a window the rows of one instant are
    -- peers.
    select
        product_id,
        storefront,
        currency,
        price_from,
        price,
        count(*) filter (where is_first_of_currency) over (
            partition by product_id, storefront
            order by price_from
        ) as currencies
    from begun

)

select
    product_id,
    storefront,
    -- The periods of a product and storefront are numbered from 1, the earliest first.
    row_number() over (
        partition by product_id, storefront
        order by price_from
    ) as place,
    price_from as in_force_from,
    -- If one currency is in force, only one price begins at a time.
    case when currencies = 1 then min(currency) end as currency,
    case when currencies = 1 then min(price) end as price
from counted
group by product_id, storefront, price_from, currencies
