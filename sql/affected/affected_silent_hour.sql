-- Finds the hours in which a server may have become silent since the night before, or may no longer be silent: hours
-- that have become whole, hours in which tonight's log changes the number of attempts, and hours whose median depends
-- on such an hour.
--
-- Takes         difference_source_hour, judged, night.
-- Leaves behind candidate_hour; near_source_hour: the attempts of servers in those hours and in the same hour of the
--               days before with which each is compared.

create temporary table candidate_hour on commit drop as
with

candidate as (

    select
        part.server,
        part.hour + later.day * interval '24 hours' as hour
    from difference_source_hour as part
    cross join generate_series(0, silence_days()) as later (day)
    union
    select
        carried_source_hour.server,
        carried_source_hour.hour + later.day * interval '24 hours'
    from judged
    inner join run as earlier on judged.run_id = earlier.run_id
    cross join night
    -- Hour by hour, so that each hour is looked up: for a range the planner expects a third of all rows.
    cross join lateral generate_series(
        utc_hour(earlier.as_of) - silence_days() * interval '24 hours'
        - interval '1 hour',
        night.as_of,
        interval '1 hour'
    ) as recent (hour)
    inner join carried_source_hour on recent.hour = carried_source_hour.hour
    cross join generate_series(1, silence_days()) as later (day)
    where
        carried_source_hour.attempts >= silence_attempts()
        and carried_source_hour.hour + later.day * interval '24 hours'
        > earlier.as_of - interval '1 hour'

)

select
    candidate.server,
    candidate.hour
from candidate
cross join night
where candidate.hour <= night.as_of - interval '1 hour';

analyze candidate_hour;

create temporary table near_source_hour on commit drop as
with

needed as materialized (

    select distinct
        candidate_hour.server,
        candidate_hour.hour - earlier.day * interval '24 hours' as hour
    from candidate_hour
    cross join generate_series(0, silence_days()) as earlier (day)

)

select
    carried_source_hour.server,
    carried_source_hour.hour,
    carried_source_hour.attempts
from needed
inner join carried_source_hour
    on needed.server = carried_source_hour.server and needed.hour = carried_source_hour.hour;

analyze near_source_hour
