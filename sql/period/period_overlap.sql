-- Returns one row for each closed period that shares a day with a range of days, with the days of the range that are in
-- no closed period.
--
-- Takes  $1 and $2: the first and the last day of the range.
-- Gives  period; closed_days and days: how many days of the range are closed, and how many it has; open_days and
--        commands: those that are not closed, and the commands that close them, null if there are none
with

closed as (

    select
        period,
        daterange(first_day, last_day, '[]') as days
    from period_closing
    where
        reopened_at is null
        and daterange(first_day, last_day, '[]') && daterange($1::date, $2::date, '[]')

),

still_open as (

    select
        coalesce(sum(upper(part.days) - lower(part.days)), 0) as days,
        string_agg(day_words.name, ', ' order by part.days) as names,
        string_agg('tieout close ' || day_words.name, '; ' order by part.days) as commands
    from unnest(
        datemultirange(daterange($1::date, $2::date, '[]')) - (select range_agg(closed.days) from closed)
    ) as part (days)
    cross join lateral (
        select to_char(lower(part.days), 'YYYY-MM-DD') || to_char(upper(part.days) - 1, '..YYYY-MM-DD')
    ) as day_words (name)

)

select
    closed.period,
    $2::date - $1::date + 1 - still_open.days as closed_days,
    $2::date - $1::date + 1 as days,
    still_open.names as open_days,
    still_open.commands
from closed
cross join still_open
order by closed.days
