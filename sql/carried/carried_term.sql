-- Returns the sums of subscriptions that were sold at a price, by the days on which they begin and end.
--
-- A subscription is earned from the day of its purchase to the day before it expires. A refund or an upgrade ends it
-- earlier; `infinity` means that nothing ended it.
select
    sale.sold_on as starts_on,
    greatest((sale.expires_at at time zone (select time_zone from night))::date, sale.sold_on) as expires_on,
    case when sale.refunded_on is null then 'infinity' else greatest(sale.refunded_on, sale.sold_on) end as ended_on,
    recorded_product.product_number,
    coalesce(sale.currency, '') as currency,
    price_source_code(sale.price_source) as price_source_code,
    scale(sale.amount)::smallint as amount_scale,
    -- Refunds with other decimal places are kept apart, so that a sum does not depend on parts that are taken back.
    coalesce(scale(case when not sale.is_upgrade then sale.refund end), scale(sale.amount))::smallint as refund_scale,
    count(*) as entries,
    sum(sale.quantity)::bigint as units,
    sum(sale.amount) as amount,
    -- An upgrade gives nothing back, as in revenue.csv. The sum has the decimal places of the amounts.
    sum(sale.amount) * 0
    + coalesce(sum(sale.refund) filter (where sale.refunded_on is not null and not sale.is_upgrade), 0) as refund
from sale
inner join recorded_product using (product_id)
where sale.expires_at is not null and sale.amount > 0
group by
    sale.sold_on,
    greatest((sale.expires_at at time zone (select time_zone from night))::date, sale.sold_on),
    case when sale.refunded_on is null then 'infinity' else greatest(sale.refunded_on, sale.sold_on) end,
    recorded_product.product_number,
    coalesce(sale.currency, ''),
    sale.price_source,
    scale(sale.amount),
    coalesce(scale(case when not sale.is_upgrade then sale.refund end), scale(sale.amount))
