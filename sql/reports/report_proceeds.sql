-- Returns proceeds.csv: units, prices and proceeds as Apple's reports state them, by report, period, product, country
-- and currency.
--
-- The function newest_apple_line says which reports count. The select list is the CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     without totals
-- Rule      none
-- Identity  report, period_begin, period_end, product_id, country, currency, proceeds_currency
-- As-of     none
select
    line.kind as report,
    to_char(line.period_begin, 'YYYY-MM-DD') as period_begin,
    to_char(line.period_end, 'YYYY-MM-DD') as period_end,
    csv_text(line.product_id) as product_id,
    line.country,
    line.currency,
    sum(line.units) as units,
    csv_amount(sum(line.amount), line.currency) as customer_price,
    line.proceeds_currency,
    csv_amount(sum(line.proceeds), line.proceeds_currency) as proceeds,
    -- No report that is read states a commission or a tax.
    null::numeric as commission,
    null::numeric as tax
from night
cross join lateral newest_apple_line(night.as_of, night.revenue_since) as line
group by
    line.kind,
    line.period_begin,
    line.period_end,
    line.product_id,
    line.country,
    line.currency,
    line.proceeds_currency
order by
    line.kind collate "C",
    line.period_begin,
    line.period_end,
    line.product_id collate "C",
    line.country collate "C",
    line.currency collate "C",
    line.proceeds_currency collate "C"
