-- What the night found, by rule and level: what is open, and apart from it what somebody has acknowledged.
select
    found.rule,
    found.level,
    count(*) filter (where finding.status is distinct from 'acknowledged') as findings,
    count(*) filter (where finding.status = 'acknowledged') as acknowledged
from found
left join finding
    on found.rule = finding.rule
    and found.environment = finding.environment
    and sha256(convert_to(found.subject, 'UTF8')) = finding.subject_hash
group by found.rule, found.level
order by found.rule, found.level
