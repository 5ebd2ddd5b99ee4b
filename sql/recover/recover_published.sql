-- Records that the edition of a day's runs is published. Runs that had published their reports stay as they are.
--
-- Takes  $1: the day; $2: the folder of reports; $3: the number of the edition
-- Gives  run_id: one row for each of these runs
update tieout.run
set is_published = true, edition = $3::integer
where
    as_of_on = $1::date
    and reports_folder = $2
    and outcome = 'done'
    and not is_published
returning run_id
