-- Returns the facts about a month that was not published, because it has not ended or has not begun: when it is
-- published and can be closed.
--
-- Takes  tieout.explained_name: `2026-11`, `2026-11 PRODUCT` or `2026-11 PRODUCT CURRENCY`
-- Gives  the columns of explain_group.sql
with

asked as (

    select
        named.name,
        left(named.name, 7) as month,
        to_date(left(named.name, 7), 'YYYY-MM') as begins_on,
        (to_date(left(named.name, 7), 'YYYY-MM') + interval '1 month')::date as next_on,
        (to_date(left(named.name, 7), 'YYYY-MM') + interval '1 month')::date - 1 as ends_on,
        night.as_of_on
    from (select current_setting('tieout.explained_name') collate "C" as name) as named
    cross join night

),

closed as (

    select
        string_agg(format('%s (%s)', period_closing.period, period_state.state), ', ' order by period_closing.period)
            as periods,
        range_agg(daterange(period_closing.first_day, period_closing.last_day, '[]')) as days
    from asked
    inner join period_closing
        on period_closing.last_day >= asked.begins_on and period_closing.first_day <= asked.ends_on
    inner join period_state on period_closing.closing_id = period_state.closing_id
    where period_closing.reopened_at is null

),

-- The days of the month that are in no closed period; no row if all or none are closed.
still_open as (

    select
        asked.next_on - asked.begins_on - sum(upper(part.days) - lower(part.days)) as closed_days,
        string_agg(day_words.name, ', ' order by part.days) as names,
        string_agg('tieout close ' || day_words.name, '; ' order by part.days) as commands
    from asked
    cross join closed
    cross join lateral unnest(
        datemultirange(daterange(asked.begins_on, asked.next_on)) - closed.days
    ) as part (days)
    cross join lateral (
        select to_char(lower(part.days), 'YYYY-MM-DD') || to_char(upper(part.days) - 1, '..YYYY-MM-DD')
    ) as day_words (name)
    group by asked.begins_on, asked.next_on

)

select
    1 as section_place,
    'sentence' as section,
    null as property,
    1::bigint as place,
    1 as length,
    asked.name,
    format(
        '%s The first night of %s or later publishes %s. %s',
        case
            when asked.begins_on > asked.as_of_on
                then format('%s has not begun on %s, the day of the newest night.', asked.month, asked.as_of_on)
            when asked.ends_on >= asked.as_of_on
                then format(
                    '%s has not ended on %s, the day of the newest night, so these amounts can change.',
                    asked.month,
                    asked.as_of_on
                )
            else format('%s has ended, and no edition has published it.', asked.month)
        end,
        asked.ends_on,
        asked.month,
        case
            when still_open.commands is not null
                then format(
                    '%s closed: %s. Not closed: %s. After a night of a later day: %s',
                    case still_open.closed_days
                        when 1 then '1 of its days is'
                        else still_open.closed_days || ' of its days are'
                    end,
                    closed.periods,
                    still_open.names,
                    still_open.commands
                )
            when closed.periods is not null then format('Its days are in these closed periods: %s.', closed.periods)
            else format('After a night of a later day, tieout close %s closes it.', asked.month)
        end
    ) as words,
    null::bigint as missing,
    null::bigint as delivered,
    null::timestamptz as at,
    null as file,
    null::bigint as line
from asked
cross join closed
left join still_open on true
where not exists (select from standing_month where standing_month.month = asked.begins_on)
