-- rejected_records.csv: what could not be used on the as-of day, and why. One row for each rejection
-- of that day's runs. The select list is the CSV header.
select
    csv_text(rejection.path) as file,
    rejection.line,
    rejection.kind,
    rejection.reason,
    csv_text(rejection.detail) as detail,
    csv_text(rejection.excerpt) as excerpt
from rejection
inner join run on rejection.run_id = run.run_id
cross join night
where run.as_of_on = night.as_of_on and run.outcome in ('done', 'running')
order by rejection.path, rejection.line nulls first, rejection.kind, rejection.rejection_id
