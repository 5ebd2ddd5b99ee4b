-- Returns one row: the greatest number of an edition of the night's day, and whether the day is the newest one of the
-- reports folder.
--
-- A number that was used once is never used again, even if its folder was removed. The list of editions has the numbers
-- that were used before the reports folder got its path.
select
    (
        select max(run.edition)
        from run
        where run.as_of_on = own.as_of_on and run.reports_folder = own.reports_folder
    ) as edition,
    coalesce(
        own.as_of_on >= (
            select max(run.as_of_on)
            from run
            where
                run.outcome = 'done'
                and not run.is_of_past_day
                and run.reports_folder = own.reports_folder
        ),
        not own.is_of_past_day
    ) as is_of_newest_day
from night
inner join run as own on night.run_id = own.run_id
