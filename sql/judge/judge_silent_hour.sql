-- Returns one row for each silent hour of a server.
--
-- An hour (UTC) is silent if it is over by as-of, the server sent nothing in it, and the median of the same hour over
-- the days before (silence_days) is silence_attempts or more. A day on which the server sent nothing in that hour
-- counts as 0, also before its first record. So a new server is expected to send after half of these days, or one more.
with

-- Such a median needs that number of attempts on half of the days. So an hour is expected if the days before it
-- have that number of busy hours.
busy as (

    select
        server,
        hour,
        lag(hour, silence_days() / 2 - 1) over same_hour as first_needed_hour,
        lead(hour) over same_hour as next_hour
    from source_hour
    where attempts >= silence_attempts()
    window same_hour as (
        partition by server, extract(hour from hour at time zone 'UTC')
        order by hour
    )

),

-- Both are computed first, each separately: the planner takes few hours for millions, and would repeat the lookup for
-- each.
expected as materialized (

    -- Days have 24 hours, as in UTC, whatever the time zone of the session is.
    select
        busy.server,
        expected.hour
    from busy
    cross join night
    cross join lateral generate_series(
        busy.hour + interval '24 hours',
        least(
            busy.first_needed_hour + silence_days() * interval '24 hours',
            busy.next_hour - interval '24 hours',
            night.as_of - interval '1 hour'
        ),
        interval '24 hours'
    ) as expected (hour)
    where busy.first_needed_hour > busy.hour - silence_days() * interval '24 hours'

),

quiet as materialized (

    select
        expected.server,
        expected.hour
    from expected
    left join source_hour
        on expected.server = source_hour.server and expected.hour = source_hour.hour
    where source_hour.server is null

)

select
    quiet.server,
    quiet.hour
from quiet
cross join generate_series(1, silence_days()) as earlier (day)
inner join source_hour
    on quiet.server = source_hour.server
    and quiet.hour - earlier.day * interval '24 hours' = source_hour.hour
group by quiet.server, quiet.hour
-- The two values in the middle. A missing value counts as 0.
having
    coalesce((array_agg(source_hour.attempts order by source_hour.attempts desc))[silence_days() / 2], 0)
    + coalesce((array_agg(source_hour.attempts order by source_hour.attempts desc))[silence_days() / 2 + 1], 0)
    >= 2 * silence_attempts()
