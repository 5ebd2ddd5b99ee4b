-- Returns the sums of revenue by month, product, currency and source of the amounts, for the whole history.
--
-- The sums are those of carried_revenue.sql for a month: with the number of decimal places of their amounts, and with
-- the empty text for an unknown currency.
with

entry as (

    select
        sale.sold_on as day,
        sale.product_id,
        sale.currency,
        sale.price_source,
        scale(sale.amount) as amount_scale,
        scale(sale.amount) as refund_scale,
        sale.quantity as sold,
        sale.amount as gross,
        0 as refunded,
        sale.amount * 0 as refunds,
        0 as upgraded
    from sale
    union all
    select
        sale.refunded_on as day,
        sale.product_id,
        sale.currency,
        sale.price_source,
        scale(sale.amount) as amount_scale,
        scale(sale.refund) as refund_scale,
        0 as sold,
        sale.amount * 0 as gross,
        case when sale.is_upgrade then 0 else sale.quantity end as refunded,
        case when sale.is_upgrade then sale.amount * 0 else sale.refund end as refunds,
        case when sale.is_upgrade then sale.quantity else 0 end as upgraded
    from sale
    where sale.refunded_on is not null

)

select
    date_trunc('month', day::timestamp)::date as month,
    product_id,
    coalesce(currency, '') as currency,
    price_source,
    coalesce(amount_scale, 0) as amount_scale,
    coalesce(refund_scale, 0) as refund_scale,
    count(*) as entries,
    sum(sold)::bigint as units_sold,
    sum(gross) as gross,
    sum(refunded)::bigint as units_refunded,
    sum(refunds) as refunds,
    sum(gross - refunds) as net,
    sum(upgraded)::bigint as units_upgraded
from entry
group by
    date_trunc('month', day::timestamp)::date,
    product_id,
    coalesce(currency, ''),
    price_source,
    coalesce(amount_scale, 0),
    coalesce(refund_scale, 0)
