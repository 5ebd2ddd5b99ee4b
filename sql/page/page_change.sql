-- Returns how many findings the runs of the as-of day opened, resolved and reopened, by rule, change and cause, as in
-- changes.csv.
select
    finding.rule,
    finding_event.event as change,
    finding_event.cause,
    count(*) as findings
from run
cross join night
inner join finding_event on run.run_id = finding_event.run_id
inner join finding on finding_event.finding_id = finding.finding_id
where is_run_of_day(run.as_of_on, run.run_id, run.outcome, night.as_of_on, night.run_id)
group by finding.rule, finding_event.event, finding_event.cause
order by finding.rule, finding_event.event, finding_event.cause
