-- Returns the totals of months.csv by month, currency and price_source, the newest month first, without those that have
-- neither sales nor refunded amounts. What customers paid and what the catalogue's prices estimate are never added.
select
    to_char(carried_month.month, 'YYYY-MM') as month,
    carried_month.currency,
    carried_month.price_source,
    sum(carried_month.units_sold) as units_sold,
    sum(carried_month.gross) as gross,
    sum(carried_month.refunds) as refunds,
    sum(carried_month.net) as net
from carried_month
cross join night
where carried_month.month <= night.as_of_on
group by carried_month.month, carried_month.currency, carried_month.price_source
having sum(carried_month.units_sold) > 0 or sum(carried_month.refunds) > 0
order by carried_month.month desc, carried_month.currency, carried_month.price_source
