-- Returns one row for each day that the page shows (page_days), with the state of its night; and before them one for
-- the last earlier day with a night that was done, if there is one.
--
-- Later nights are left out, so that the page of a past day ends with that day.
--
-- The state is one of: tonight; done; incomplete (runs began and none was done; outcome says how the last one ended);
-- missing; before (the day is before the first run).
--
-- Gives  day, label, state, outcome
--        is_earlier: whether the day is before those that the page shows
with

shown as (

    select night.as_of_on - back.days as as_of_on
    from night
    cross join generate_series(page_days() - 1, 0, -1) as back (days)

),

day as (

    select
        as_of_on,
        false as is_earlier
    from shown
    union all
    select
        max(last_run_of_day.as_of_on),
        true
    from last_run_of_day
    where
        last_run_of_day.outcome = 'done'
        and last_run_of_day.as_of_on < (select min(shown.as_of_on) from shown)
    having count(*) > 0

),

beginning as (

    select min(as_of_on) as as_of_on
    from run
    where not is_of_past_day

)

select
    day.as_of_on as day,
    to_char(day.as_of_on, case when day.is_earlier then 'FMDD Mon YYYY' else 'FMDD Mon' end) as label,
    case
        when day.as_of_on = night.as_of_on then 'tonight'
        when attempted.outcome = 'done' then 'done'
        when attempted.outcome is not null then 'incomplete'
        when day.as_of_on >= beginning.as_of_on then 'missing'
        else 'before'
    end as state,
    attempted.outcome,
    day.is_earlier
from day
cross join night
cross join beginning
left join last_run_of_day as attempted
    on day.as_of_on = attempted.as_of_on and attempted.as_of_on < night.as_of_on
order by day.as_of_on
