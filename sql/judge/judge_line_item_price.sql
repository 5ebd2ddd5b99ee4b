-- Returns one row for each line item of a configured environment with several transactions of one product, of which
-- one states a price, a free trial, an offer or a storefront.
--
-- They are one purchase under several ids: the id in a receipt can differ from the one that Apple signs, and a receipt
-- states no price. A transaction of another environment is only counted, by what it states itself (match_family.sql).
with

repeated as materialized (

    select line_item_number
    from (
        select line_item_number
        from considered_transaction
        where is_configured and product_type = 'auto_renewable'
        order by line_item_number
    ) as sorted
    group by line_item_number
    having count(*) > 1

),

told as (

    select distinct on (environment, line_item_number, product_id)
        environment,
        line_item_number,
        product_id,
        price,
        currency,
        bool_or(is_trial) over line_item as is_trial,
        bool_or(is_offer) over line_item as is_offer,
        min(storefront) over line_item as storefront
    from considered_transaction
    where
        is_configured
        and product_type = 'auto_renewable'
        and line_item_number in (select line_item_number from repeated)
    window line_item as (partition by environment, line_item_number, product_id)
    -- The price of the earliest transaction that states one.
    order by
        environment,
        line_item_number,
        product_id,
        price is null,
        purchased_at,
        identifier_order(transaction_id)

)

select
    environment,
    line_item_number,
    product_id,
    price,
    currency,
    is_trial,
    is_offer,
    storefront
from told
where price is not null or is_trial or is_offer or storefront is not null
