-- Records the beginning of a run, and returns its number.
--
-- Takes  $1 to $3: as-of, as-of day and whether it is a run of a past day (run_as_of.sql).
--        $4: the program's version.
--        $5 and $6: the user and the host.
--        $7: the full path of the reports folder.
--        $8: the settings, a JSON object.
insert into tieout.run (
    as_of, as_of_on, is_of_past_day, program_version, started_by, started_on_host, reports_folder, settings
)
values ($1::timestamptz, $2::date, $3::boolean, $4, $5, $6, $7, $8::jsonb)
returning run_id
