-- Returns the sums of revenue by day, product, storefront and currency, since the first day of the report.
--
-- Each sum has the number of decimal places of its amounts. Amounts with different numbers of decimal places are kept
-- apart until the report adds them. An unknown value is the empty text, because keys cannot contain null. The last
-- two columns count the units that were paid for and have no amount, and those of them that were sold in an offer: they
-- are for rule_unpriced_product.sql.
with

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
        0 as upgraded,
        sale.amount is null and sale.disposition in ('purchase', 'renewal') as is_unpriced,
        sale.is_offer
    from sale
    union all
    select
        sale.refunded_on as day,
        sale.product_id,
        sale.product_type,
        sale.product_state,
        sale.storefront,
        sale.currency,
        sale.price_source,
        sale.amount,
        -- An upgrade gives nothing back, so a part that evidence states has no decimal places here.
        case when sale.is_upgrade then sale.amount else sale.refund end as refund,
        0 as sold,
        case when sale.is_upgrade then 0 else sale.quantity end as refunded,
        case when sale.is_upgrade then sale.quantity else 0 end as upgraded,
        false as is_unpriced,
        sale.is_offer
    from sale
    where sale.refunded_on is not null

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
    sum(entry.upgraded)::bigint as units_upgraded,
    sum(case when entry.is_unpriced then entry.sold else 0 end)::bigint as units_unpriced,
    sum(case when entry.is_unpriced and entry.is_offer then entry.sold else 0 end)::bigint as offers_unpriced
from entry
-- The first day is a value, not a join, so earlier days are left out before anything is computed for them.
where entry.day >= (select revenue_since from night)
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
