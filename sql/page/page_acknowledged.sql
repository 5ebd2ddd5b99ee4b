-- Returns one row for each of the ten acknowledged findings whose acknowledgement ends first. Those without a last day
-- come last.
select
    found.rule,
    found.level,
    finding_subject(shown_key(finding.key)) as subject,
    found.reason,
    (found.key).product_reason is not null as is_reason_in_subject,
    finding.name as finding,
    acknowledgement.because,
    acknowledgement.acknowledged_by,
    acknowledgement.acknowledged_system_user,
    acknowledgement.acknowledged_role,
    acknowledgement.until_on,
    count(*) over () as findings
from acknowledgement
inner join finding on acknowledgement.finding_id = finding.finding_id
inner join found
    on finding.rule = found.rule
    and finding.environment = found.environment
    and finding.subject = found.subject
where acknowledgement.ended_because is null and finding.status = 'acknowledged'
order by
    acknowledgement.until_on nulls last,
    severity(found.level),
    found.rule,
    found.subject,
    found.environment
limit 10
