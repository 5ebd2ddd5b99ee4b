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
where run.as_of_on = night.as_of_on and run.run_id <= night.run_id and run.outcome in ('done', 'running')
group by finding.rule, finding_event.event, finding_event.cause
order by finding.rule, finding_event.event, finding_event.cause
