-- Returns one row for each completed purchase that cost something or could have cost something, with its amount, the
-- source of the amount, and its refund.
--
-- It is the last step before revenue.csv and months.csv.
with

sold as (

    select
        family.*,
        family.price is null and not family.is_trial and not family.is_offer as wants_price,
        coalesce(family.storefront, night.assume_storefront) as priced_storefront
    from family
    cross join night
    where
        family.is_configured
        and family.disposition in ('purchase', 'renewal', 'free')

),

priced as (

    select
        sold.environment,
        sold.transaction_id,
        sold.product_id,
        sold.product_type,
        sold.product_state,
        sold.quantity,
        (sold.purchased_at at time zone night.time_zone)::date as sold_on,
        sold.purchased_at,
        sold.expires_at,
        sold.refunded_at,
        (sold.refunded_at at time zone night.time_zone)::date as refunded_on,
        sold.is_upgrade,
        sold.refund_percentage,
        case
            when sold.price is not null then 'receipt'
            when
                case
                    when own_price.product_id is not null then own_price.price
                    else general_price.price
                end is not null
                then 'catalogue'
            else 'none'
        end as price_source,
        case
            when sold.price is not null then sold.currency
            when own_price.product_id is not null then own_price.currency
            else general_price.currency
        end as currency,
        case
            when sold.price is not null
                then round(sold.price, greatest(scale(sold.price), currency_digits(sold.currency)))
            when own_price.product_id is not null then own_price.price * sold.quantity
            else general_price.price * sold.quantity
        end as amount,
        case
            when sold.storefront is not null then sold.storefront
            when
                sold.price is null
                and case
                    when own_price.product_id is not null then own_price.price
                    else general_price.price
                end is not null
                then night.assume_storefront
        end as storefront,
        sold.family_key,
        sold.disposition,
        sold.is_offer
    from sold
    cross join night
    left join price as own_price
        on sold.wants_price
        and sold.product_id = own_price.product_id
        and sold.priced_storefront = own_price.storefront
        and own_price.storefront <> ''
        and sold.purchased_at >= own_price.in_force_from
        and sold.purchased_at < own_price.in_force_to
    left join price as general_price
        on sold.wants_price
        and sold.product_id = general_price.product_id
        and general_price.storefront = ''
        and sold.purchased_at >= general_price.in_force_from
        and sold.purchased_at < general_price.in_force_to

)

select
    environment,
    transaction_id,
    product_id,
    product_type,
    product_state,
    quantity,
    sold_on,
    purchased_at,
    expires_at,
    refunded_at,
    refunded_on,
    is_upgrade,
    refund_percentage,
    price_source,
    currency,
    amount,
    storefront,
    family_key,
    disposition,
    is_offer,
    -- The amount that a refund gives back. A partial refund gives back exactly that part.
    case
        when refunded_on is null then null
        when refund_percentage = 100000 then amount
        else
            round(
                amount * (refund_percentage * 0.00001),
                greatest(scale(amount), min_scale(amount * (refund_percentage * 0.00001)))
            )
    end as refund
from priced
