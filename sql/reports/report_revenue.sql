-- Returns revenue.csv: sales and refunds by day, product, storefront and currency.
--
-- The amounts of one row are in one currency and have one source: receipts say what customers paid, and a list price
-- (`catalogue`) is an estimate. A row without amounts has only counts of units. The select list is the
-- CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     with totals
-- Rule      none
-- Identity  day, product_id, product_type, product_state, storefront, currency, price_source
-- As-of     none
select
    revenue.day,
    csv_text(revenue.product_id) as product_id,
    revenue.product_type,
    revenue.product_state,
    csv_text(revenue.storefront) as storefront,
    csv_text(revenue.currency) as currency,
    revenue.price_source,
    sum(revenue.units_sold) as units_sold,
    sum(revenue.gross) as gross,
    sum(revenue.units_refunded) as units_refunded,
    sum(revenue.refunds) as refunds,
    sum(revenue.net) as net,
    sum(revenue.units_upgraded) as units_upgraded
from carried_revenue as revenue
-- As one value, not as a join: then the key returns the rows in the order of the report.
where revenue.day >= (select night.revenue_since from night)
group by
    revenue.day,
    revenue.product_id,
    revenue.product_type,
    revenue.product_state,
    revenue.storefront,
    revenue.currency,
    revenue.price_source
order by
    revenue.day,
    revenue.product_id,
    revenue.product_type,
    revenue.product_state,
    revenue.storefront,
    revenue.currency,
    revenue.price_source
