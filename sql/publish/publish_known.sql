-- Returns one row: what the database knows about a reports folder.
--
-- Takes  $1: the reports folder.
--        $2 to $4: day, number and as-of of the newest edition in the folder; null: it has none.
--        $5: the day of this run; null: none.
-- Gives  newest_on: the newest day for which a run has published there; null: none has
--        newest_other_on: the same without the day of this run
--        elsewhere: the folder in which the last run has published, if it is another one
--        is_known: whether a run of this database has the edition
--
-- The folder can have been moved since, so the edition may be known from another folder. A run that was killed after it
-- had published does not know the number of its edition.
select
    (
        select to_char(max(run.as_of_on)::timestamp, 'YYYY-MM-DD')
        from tieout.run
        where run.reports_folder = $1 and run.is_published
    ) as newest_on,
    (
        select to_char(max(run.as_of_on)::timestamp, 'YYYY-MM-DD')
        from tieout.run
        where run.reports_folder = $1 and run.is_published and run.as_of_on is distinct from $5::date
    ) as newest_other_on,
    (
        select run.reports_folder
        from tieout.run
        where run.is_published and run.reports_folder <> $1
        order by run.run_id desc
        limit 1
    ) as elsewhere,
    exists (
        select
        from tieout.run
        where
            run.outcome = 'done'
            and to_char(run.as_of_on::timestamp, 'YYYY-MM-DD') = $2::text
            and coalesce(run.edition, $3::integer) = $3::integer
            and tieout.csv_instant(run.as_of) = $4::text
    ) as is_known
