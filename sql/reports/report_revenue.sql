-- revenue.csv: what customers paid and got back, by day, product, storefront and currency. Amounts of
-- one row are in one currency; a row without amounts counts units alone. The select list is the CSV
-- header.
with

entry as (

    select
        sold_on as day,
        sale.*,
        sale.quantity as sold,
        0 as refunded,
        0 as upgraded
    from sale
    union all
    select
        refunded_on,
        sale.*,
        0,
        case when is_upgrade then 0 else sale.quantity end,
        case when is_upgrade then sale.quantity else 0 end
    from sale
    where refunded_on is not null

)

select
    entry.day,
    csv_text(entry.product_id) as product_id,
    entry.product_type,
    entry.product_state,
    csv_text(entry.storefront) as storefront,
    csv_text(entry.currency) as currency,
    entry.price_source,
    sum(entry.sold) as units_sold,
    sum(case when entry.sold > 0 then entry.amount else entry.amount * 0 end) as gross,
    sum(entry.refunded) as units_refunded,
    sum(case when entry.refunded > 0 then entry.amount else entry.amount * 0 end) as refunds,
    sum(
        case
            when entry.sold > 0 then entry.amount
            when entry.refunded > 0 then -entry.amount
            else entry.amount * 0
        end
    ) as net,
    sum(entry.upgraded) as units_upgraded
from entry
cross join night
where entry.day >= night.revenue_since
group by
    entry.day,
    entry.product_id,
    entry.product_type,
    entry.product_state,
    entry.storefront,
    entry.currency,
    entry.price_source
order by
    entry.day,
    entry.product_id,
    entry.product_type,
    entry.product_state,
    entry.storefront nulls first,
    entry.currency nulls first,
    entry.price_source
