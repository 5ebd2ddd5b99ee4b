-- Returns the days that the rows of each Financial Report of a run name, and the days for which the report counts.
--
-- Takes  $1: the number of the run.
-- Gives  path; first_number and last_number: the days counted since 1970-01-01; first_day, last_day; counts_from and
--        counts_to: the period of the report
select
    input_file.path,
    min(stated.begin_on) - date '1970-01-01' as first_number,
    max(stated.end_on) - date '1970-01-01' as last_number,
    to_char(min(stated.begin_on), 'YYYY-MM-DD') as first_day,
    to_char(max(stated.end_on), 'YYYY-MM-DD') as last_day,
    to_char(report.period_begin, 'YYYY-MM-DD') as counts_from,
    to_char(report.period_end, 'YYYY-MM-DD') as counts_to
from apple_report as report
inner join input_file on report.file_id = input_file.file_id
inner join apple_report_row as stated on report.report_hash = stated.report_hash
where report.run_id = $1::bigint and report.kind = 'financial'
group by input_file.path, report.report_hash
order by input_file.path, report.report_hash
