-- Makes the runs whose as-of is in the future runs of a past day, so that the next run is the newest night. This
-- includes runs that were not done: the calendar ends with the newest night, also if it failed.
--
-- Gives  run_id, as_of: one row for each of these runs that was done
with

future as (

    update tieout.run
    set is_of_past_day = true
    where not is_of_past_day and as_of > clock_timestamp()
    returning run_id, outcome, as_of

)

select
    run_id,
    tieout.csv_instant(as_of) as as_of
from future
where outcome = 'done'
order by run_id
