-- Returns one row for each silent hour of a source.
--
-- An hour (UTC) is silent if it is over by as-of, the source sent nothing in it, and the median of the same hour over
-- the 14 days before is 10 or more. A day on which the source sent nothing in that hour counts as 0, also before its
-- first record. So a new source is expected to send after a week.
with

-- A median of 10 needs seven hours with 10 or more attempts. So an hour is expected if seven such hours lie in the 14
-- days before it.
busy as (

    select
        server,
        hour,
        lag(hour, 6) over same_hour as seventh_last_hour,
        lead(hour) over same_hour as next_hour
    from source_hour
    where attempts >= 10
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
            busy.seventh_last_hour + interval '336 hours',
            busy.next_hour - interval '24 hours',
            night.as_of - interval '1 hour'
        ),
        interval '24 hours'
    ) as expected (hour)
    where busy.seventh_last_hour >= busy.hour - interval '312 hours'

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
cross join generate_series(1, 14) as earlier (day)
inner join source_hour
    on quiet.server = source_hour.server
    and quiet.hour - earlier.day * interval '24 hours' = source_hour.hour
group by quiet.server, quiet.hour
-- The two middle values of fourteen. A missing value counts as 0.
having
    coalesce((array_agg(source_hour.attempts order by source_hour.attempts desc))[7], 0)
    + coalesce((array_agg(source_hour.attempts order by source_hour.attempts desc))[8], 0)
    >= 20
