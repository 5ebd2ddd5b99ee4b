-- The catalogue's prices: one row for each product, storefront and stretch of time in which the same
-- prices are in force. Storefront '' holds where the product has none for a storefront.
--
-- Gives a currency and a price only where the prices in force are in exactly one currency.
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

stretch as (

    select
        product_id,
        storefront,
        price_from as in_force_from,
        lead(price_from, 1, 'infinity') over (
            partition by product_id, storefront order by price_from
        ) as in_force_to
    from (select distinct product_id, storefront, price_from from listed) as beginning

),

in_force as (

    -- For each currency the latest price that has begun.
    select distinct on (stretch.product_id, stretch.storefront, stretch.in_force_from, listed.currency)
        stretch.product_id,
        stretch.storefront,
        stretch.in_force_from,
        stretch.in_force_to,
        listed.currency,
        listed.price
    from stretch
    inner join listed
        on stretch.product_id = listed.product_id
        and stretch.storefront = listed.storefront
        and stretch.in_force_from >= listed.price_from
    order by
        stretch.product_id,
        stretch.storefront,
        stretch.in_force_from,
        listed.currency,
        listed.price_from desc

)

select
    product_id,
    storefront,
    in_force_from,
    in_force_to,
    case when count(*) = 1 then min(currency) end as currency,
    case when count(*) = 1 then (array_agg(price))[1] end as price
from in_force
group by product_id, storefront, in_force_from, in_force_to
