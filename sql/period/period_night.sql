-- Returns one row for the newest night, whose numbers a closing freezes.
--
-- Takes  $1: the last day of the period.
select
    csv_instant(run.as_of) as as_of,
    to_char(run.as_of_on, 'YYYY-MM-DD') as day,
    night.time_zone,
    edition_name(run.as_of_on, run.edition) as folder,
    run.as_of_on > $1::date as is_after_period,
    -- A run of a past day with new files leaves the tables to the next night.
    exists (select from judged where judged.run_id = run.run_id) as is_judged,
    -- Until then, the edition with its numbers is not known.
    run.is_published
from night
inner join run on night.run_id = run.run_id
