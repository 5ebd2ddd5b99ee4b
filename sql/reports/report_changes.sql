-- Returns changes.csv: one row for each finding that one of the as-of day's runs opened, resolved or reopened, with the
-- cause and the record.
--
-- Runs after the night's own are left out: another edition reports them. The select list is the CSV header.
--
-- Kind      night paper
-- Edition   yes
-- Sheet     none
-- Rule      none
select
    finding.rule,
    finding.level,
    csv_text(finding.subject) as subject,
    finding_event.event as change,
    finding_event.cause,
    run.as_of_on - finding.first_flagged_on as age_days,
    finding.first_flagged_on,
    finding.name as finding,
    csv_text(finding_event.record) as record,
    csv_text(finding_event.file) as file,
    finding_event.line
from run
cross join night
inner join finding_event on run.run_id = finding_event.run_id
inner join finding on finding_event.finding_id = finding.finding_id
where is_run_of_day(run.as_of_on, run.run_id, run.outcome, night.as_of_on, night.run_id)
order by
    finding.rule,
    finding.subject,
    finding.environment,
    finding_event.run_id
