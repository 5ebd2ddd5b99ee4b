-- Returns the sums of revenue by day, product, storefront and currency, since the first day of the statement.
--
-- Each sum has the number of decimal places of its amounts. Amounts with different numbers of decimal places are kept
-- apart until the statement adds them. An unknown value is the empty text, because keys cannot contain null.
with

given_back as (

    -- A partial refund gives back exactly that part.
    select
        sale.*,
        case
            when sale.refund_percentage = 100000 then sale.amount
            else
                round(
                    sale.amount * (sale.refund_percentage * 0.00001),
                    greatest(
                        scale(sale.amount), min_scale(sale.amount * (sale.refund_percentage * 0.00001))
                    )
                )
        end as refund
    from sale
    where sale.refunded_on is not null

),

entry as (

    select
        sale.sold_on as day,
        sale.product_id,
        sale.product_type,
        sale.product_state,
        sale.storefront,
        sale.currency,
        sale.price_source,
        sale.amount,
        sale.amount as refund,
        sale.quantity as sold,
        0 as refunded,
        0 as upgraded
    from sale
    union all
    select
        given_back.refunded_on as day,
        given_back.product_id,
        given_back.product_type,
        given_back.product_state,
        given_back.storefront,
        given_back.currency,
        given_back.price_source,
        given_back.amount,
        given_back.refund,
        0 as sold,
        case when given_back.is_upgrade then 0 else given_back.quantity end as refunded,
        case when given_back.is_upgrade then given_back.quantity else 0 end as upgraded
    from given_back

)

select
    entry.day,
    entry.product_id,
    entry.product_type,
    entry.product_state,
    coalesce(entry.storefront, '') as storefront,
    coalesce(entry.currency, '') as currency,
    entry.price_source,
    coalesce(scale(entry.amount), 0) as amount_scale,
    coalesce(scale(entry.refund), 0) as refund_scale,
    count(*) as entries,
    sum(entry.sold)::bigint as units_sold,
    sum(case when entry.sold > 0 then entry.amount else entry.amount * 0 end) as gross,
    sum(entry.refunded)::bigint as units_refunded,
    sum(case when entry.refunded > 0 then entry.refund else entry.amount * 0 end) as refunds,
    sum(
        case
            when entry.sold > 0 then entry.amount
            when entry.refunded > 0 then -entry.refund
            else entry.amount * 0
        end
    ) as net,
    sum(entry.upgraded)::bigint as units_upgraded
from entry
cross join night
where entry.day >= night.revenue_since
group by
    entry.day,
    entry.product_id,
    entry.product_type,
    entry.product_state,
    coalesce(entry.storefront, ''),
    coalesce(entry.currency, ''),
    entry.price_source,
    coalesce(scale(entry.amount), 0),
    coalesce(scale(entry.refund), 0)
