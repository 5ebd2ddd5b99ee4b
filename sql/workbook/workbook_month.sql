-- Returns the totals of months.csv by month and currency, the newest month first, with the units by what their amounts
-- rest on.
select
    to_char(carried_month.month, 'YYYY-MM') as month,
    carried_month.currency,
    sum(carried_month.units_sold) as units_sold,
    coalesce(sum(carried_month.units_sold) filter (where carried_month.price_source = 'receipt'), 0)
        as units_by_receipt,
    coalesce(sum(carried_month.units_sold) filter (where carried_month.price_source = 'catalogue'), 0)
        as units_at_list_price,
    coalesce(sum(carried_month.units_sold) filter (where carried_month.price_source = 'none'), 0)
        as units_without_amount,
    sum(carried_month.gross) as gross,
    sum(carried_month.refunds) as refunds,
    sum(carried_month.net) as net,
    sum(carried_month.gross) filter (where carried_month.price_source = 'catalogue') as gross_at_list_price
from carried_month
cross join night
where carried_month.month <= night.as_of_on
group by carried_month.month, carried_month.currency
having sum(carried_month.units_sold) > 0 or sum(carried_month.refunds) > 0
order by carried_month.month desc, carried_month.currency
