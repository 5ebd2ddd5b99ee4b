-- Returns inputs.csv: the files that the as-of day's runs read for the first time, with their checksums.
--
-- Runs after the night's own are left out, as in the other night papers. The manifest of an edition has the number and
-- one checksum of all files that counted at its night. The select list is the CSV header.
--
-- Kind      night paper
-- Edition   no
-- Sheet     none
-- Rule      none
select
    csv_text(visible_text(input_file.path)) as file,
    encode(input_file.sha256, 'hex') as sha256,
    input_file.bytes,
    input_file.records
from night
inner join run on is_run_of_day(run.as_of_on, run.run_id, run.outcome, night.as_of_on, night.run_id)
inner join input_file on run.run_id = input_file.run_id
where not input_file.is_withdrawn
order by input_file.path, input_file.sha256, input_file.file_id
