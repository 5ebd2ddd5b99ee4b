-- Returns one row for each closed period that shares a day with a range of days.
--
-- Takes  $1 and $2: the first and the last day of the range.
select
    period,
    first_day,
    last_day
from period_closing
where
    reopened_at is null
    and daterange(first_day, last_day, '[]') && daterange($1::date, $2::date, '[]')
order by first_day
