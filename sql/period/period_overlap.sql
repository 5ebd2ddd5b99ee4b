-- Returns one row for each closed period that shares a day with a range of days.
--
-- Takes  $1 and $2: the first and the last day of the range.
-- Gives  period; first_day and last_day: the days that both have
select
    period,
    greatest(first_day, $1::date) as first_day,
    least(last_day, $2::date) as last_day
from period_closing
where
    reopened_at is null
    and daterange(first_day, last_day, '[]') && daterange($1::date, $2::date, '[]')
order by first_day
