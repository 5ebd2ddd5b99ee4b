-- Returns the sales by the source of their amounts, by month and currency, for the six months up to as-of, the newest
-- first.
--
-- The sums are those of months.csv. Units without an amount have no currency and a row of their own.
select
    to_char(carried_month.month, 'YYYY-MM') as month,
    date_trunc('month', night.as_of_on::timestamp) = carried_month.month as is_newest,
    nullif(carried_month.currency, '') as currency,
    sum(carried_month.units_sold) as units,
    coalesce(sum(carried_month.units_sold) filter (where carried_month.price_source = 'receipt'), 0)
        as receipt_units,
    sum(carried_month.gross) filter (where carried_month.price_source = 'receipt') as receipt_gross,
    coalesce(sum(carried_month.units_sold) filter (where carried_month.price_source = 'catalogue'), 0)
        as catalogue_units,
    sum(carried_month.gross) filter (where carried_month.price_source = 'catalogue') as catalogue_gross
from carried_month
cross join night
where
    carried_month.month > date_trunc('month', night.as_of_on::timestamp) - interval '6 months'
    and carried_month.month <= night.as_of_on
group by carried_month.month, night.as_of_on, carried_month.currency
having sum(carried_month.units_sold) > 0
order by
    carried_month.month desc,
    carried_month.currency = '',
    sum(carried_month.units_sold) desc,
    carried_month.currency
