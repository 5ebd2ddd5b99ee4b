-- revenue.csv: what customers paid and got back, by day, product, storefront and currency. Amounts of
-- one row are in one currency; a row without amounts counts units alone. The select list is the CSV
-- header.
with

given_back as (

    -- A refund in part gives back that part, exactly.
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
        sold_on as day,
        sale.*,
        sale.amount as refund,
        sale.quantity as sold,
        0 as refunded,
        0 as upgraded
    from sale
    union all
    select
        refunded_on,
        given_back.*,
        0,
        case when is_upgrade then 0 else given_back.quantity end,
        case when is_upgrade then given_back.quantity else 0 end
    from given_back

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
    sum(case when entry.refunded > 0 then entry.refund else entry.amount * 0 end) as refunds,
    sum(
        case
            when entry.sold > 0 then entry.amount
            when entry.refunded > 0 then -entry.refund
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
