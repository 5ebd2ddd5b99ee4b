-- Returns one row for each closed period and each month that it has a day of: the period's pack.
--
-- Gives  month_id; period and closing: the period and the number of its closing
select
    to_char(whole.month, 'YYYY-MM') as month_id,
    period_closing.period,
    period_closing.closing
from period_closing
cross join lateral generate_series(
    date_trunc('month', period_closing.first_day::timestamp), period_closing.last_day::timestamp, interval '1 month'
) as whole (month)
where period_closing.reopened_at is null
order by whole.month, period_closing.first_day
