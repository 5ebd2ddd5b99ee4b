-- Returns the facts about a month that was not published, because it has not ended or has not begun: when it is
-- published and can be closed.
--
-- Takes  explained_days (explain_explained_days.sql), closed_days (explain_closed_days.sql)
-- Gives  the columns of explain_group.sql
with

asked as (

    select
        explained_days.name,
        explained_days.span as month,
        explained_days.first_day as begins_on,
        explained_days.next_day - 1 as ends_on,
        night.as_of_on
    from explained_days
    cross join night
    where explained_days.run_id is null

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
        closed_days.words
    ) as words,
    null::bigint as missing,
    null::bigint as delivered,
    null::timestamptz as at,
    null as file,
    null::bigint as line
from asked
cross join closed_days
