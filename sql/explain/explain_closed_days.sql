-- Returns one row for the explained month or period: a sentence that says which of its days are in closed periods, and
-- how the others are closed.
--
-- Days can be closed after a night of a later day.
--
-- Takes  explained_days (explain_explained_days.sql)
-- Gives  words
with

asked as (

    select
        explained_days.first_day,
        explained_days.span as name,
        explained_days.next_day as next_on,
        night.as_of_on
    from explained_days
    cross join night

),

-- A period that is closed and shares a day with these days.
closed as (

    select
        string_agg(format('%s (%s)', period_closing.period, period_state.state), ', ' order by period_closing.period)
            as periods,
        range_agg(daterange(period_closing.first_day, period_closing.last_day, '[]')) as days
    from asked
    inner join period_closing
        on period_closing.last_day >= asked.first_day and period_closing.first_day < asked.next_on
    inner join period_state on period_closing.closing_id = period_state.closing_id
    where period_closing.reopened_at is null

),

-- The days that are in no closed period; no row if all or none are closed.
still_open as (

    select
        asked.next_on - asked.first_day - sum(upper(part.days) - lower(part.days)) as closed_days,
        string_agg(day_words.name, ', ' order by part.days) as names,
        string_agg('tieout close ' || day_words.name, '; ' order by part.days)
        filter (where upper(part.days) <= asked.as_of_on) as commands,
        string_agg('tieout close ' || day_words.name, '; ' order by part.days)
        filter (where upper(part.days) > asked.as_of_on) as later_commands
    from asked
    cross join closed
    cross join lateral unnest(datemultirange(daterange(asked.first_day, asked.next_on)) - closed.days) as part (days)
    cross join lateral (
        select to_char(lower(part.days), 'YYYY-MM-DD') || to_char(upper(part.days) - 1, '..YYYY-MM-DD')
    ) as day_words (name)
    group by asked.first_day, asked.next_on

)

select
    case
        when still_open.names is not null
            then concat(
                format(
                    '%s closed: %s. Not closed: %s',
                    case still_open.closed_days
                        when 1 then '1 of its days is'
                        else still_open.closed_days || ' of its days are'
                    end,
                    closed.periods,
                    still_open.names
                ),
                '. To close the rest: ' || still_open.commands,
                '. After a night of a later day: ' || still_open.later_commands
            )
        when closed.periods is not null then format('Its days are in these closed periods: %s.', closed.periods)
        when asked.next_on <= asked.as_of_on
            then format('It is not closed: tieout close %s closes it.', asked.name)
        else format('It is not closed. After a night of a later day, tieout close %s closes it.', asked.name)
    end as words
from asked
cross join closed
left join still_open on true
