-- Returns one row for each completed purchase that cost something or could have cost something, with its amount, the
-- source of the amount, and its refund.
--
-- It is the last step before revenue.csv and months.csv.
with

-- One row for each product and storefront with prices. A purchase finds its price by a binary search in `starts`:
-- compared with each price, the purchases of a product with thousands of prices would take minutes.
listed as (

    select
        product_id,
        storefront,
        array_agg(in_force_from order by in_force_from) as starts
    from price
    group by product_id, storefront

),

completed as (

    select
        environment,
        transaction_number,
        product_id,
        product_type,
        product_state,
        quantity,
        purchased_at,
        expires_at,
        refunded_at,
        is_upgrade,
        refund_percentage,
        is_trial,
        is_offer,
        price,
        currency,
        storefront,
        family_key,
        disposition
    from family
    where is_configured and disposition in ('purchase', 'renewal', 'free')
    union all
    -- A matched purchase is valid and was not refunded. No finding names its family.
    select
        environment,
        transaction_number,
        product_id,
        product_type,
        'valid',
        quantity,
        purchased_at,
        expires_at,
        null,
        false,
        whole_refund(),
        is_trial,
        is_offer,
        price,
        currency,
        storefront,
        null,
        disposition
    from matched
    where disposition in ('purchase', 'renewal', 'free')

),

sold as (

    select
        completed.*,
        -- Of the product whose price is looked up. Most purchases have their own price: for them the key is null, and
        -- no text is hashed.
        case
            when completed.price is null and not completed.is_trial and not completed.is_offer
                then completed.product_id
        end as priced_product_id,
        coalesce(completed.storefront, (select assume_storefront from night)) as priced_storefront
    from completed

),

-- The catalogue's price for a purchase without a price of its own: of the storefront if the product had one in force
-- there, or else of every storefront.
offered as (

    select
        sold.*,
        case when own_price.product_id is not null then own_price.price else general_price.price end
            as catalogue_price,
        case when own_price.product_id is not null then own_price.currency else general_price.currency end
            as catalogue_currency
    from sold
    left join listed as own_listed
        on sold.priced_product_id = own_listed.product_id
        and sold.priced_storefront = own_listed.storefront
        and own_listed.storefront <> ''
    left join price as own_price
        on own_listed.product_id = own_price.product_id
        and own_listed.storefront = own_price.storefront
        and width_bucket(sold.purchased_at, own_listed.starts) = own_price.place
    left join listed as general_listed
        on sold.priced_product_id = general_listed.product_id
        and general_listed.storefront = ''
    left join price as general_price
        on general_listed.product_id = general_price.product_id
        and general_listed.storefront = general_price.storefront
        and width_bucket(sold.purchased_at, general_listed.starts) = general_price.place

),

priced as (

    select
        environment,
        transaction_number,
        product_id,
        product_type,
        product_state,
        quantity,
        (purchased_at at time zone (select time_zone from night))::date as sold_on,
        purchased_at,
        expires_at,
        refunded_at,
        (refunded_at at time zone (select time_zone from night))::date as refunded_on,
        is_upgrade,
        refund_percentage,
        case
            when price is not null then 'receipt'
            when catalogue_price is not null then 'catalogue'
            else 'none'
        end as price_source,
        case when price is not null then currency else catalogue_currency end as currency,
        case
            when price is not null then round(price, greatest(scale(price), currency_digits(currency)))
            else catalogue_price * quantity
        end as amount,
        case
            when storefront is not null then storefront
            when price is null and catalogue_price is not null then (select assume_storefront from night)
        end as storefront,
        storefront is not null as is_storefront_named,
        family_key,
        disposition,
        is_offer
    from offered

)

-- Columns of fixed size come first: the queries after this one read them from every row.
select
    sold_on,
    purchased_at,
    quantity,
    is_upgrade,
    is_offer,
    -- False if evidence names none, even if the setting assume_storefront gave one.
    is_storefront_named,
    expires_at,
    refunded_at,
    refunded_on,
    product_id,
    price_source,
    currency,
    amount,
    -- The amount that a refund gives back. A partial refund gives back exactly that part.
    case
        when refunded_on is null then null
        when refund_percentage = whole_refund() then amount
        else
            round(
                amount * (refund_percentage * 0.00001),
                greatest(scale(amount), min_scale(amount * (refund_percentage * 0.00001)))
            )
    end as refund,
    disposition,
    product_type,
    product_state,
    storefront,
    environment,
    transaction_number,
    family_key
from priced
