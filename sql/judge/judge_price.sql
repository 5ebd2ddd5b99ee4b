-- The catalogue's prices: one row for each product, storefront and stretch of time in which the same
-- prices are in force. Storefront '' holds where the product has none for a storefront.
--
-- Gives a currency and a price only where the prices in force are in exactly one currency. A price ends
-- only when the next one of its currency begins. So a currency that has begun stays in force, and it is
-- enough to count the currencies that have begun: in one pass, however many prices a product has.
with

listed as (

    -- One price for each currency, storefront and beginning: the smallest; of equal ones the shortest
    -- writing.
    select distinct on (product_id, storefront, currency, price_from)
        product_id,
        storefront,
        currency,
        price_from,
        value::numeric as price
    from catalogue_statement
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

    -- Prices that begin together count together: a window's rows of one instant are peers.
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
    price_from as in_force_from,
    lead(price_from, 1, 'infinity') over (
        partition by product_id, storefront
        order by price_from
    ) as in_force_to,
    -- With one currency in force one price begins at a time.
    case when currencies = 1 then min(currency) end as currency,
    case when currencies = 1 then (array_agg(price))[1] end as price
from counted
group by product_id, storefront, price_from, currencies
