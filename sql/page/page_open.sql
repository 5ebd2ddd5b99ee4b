-- Returns the number of open findings and of acknowledged findings of the night, by rule and level.
with

acknowledged as (

    select
        finding.rule,
        finding.environment,
        finding.subject
    from acknowledgement
    inner join finding on acknowledgement.finding_id = finding.finding_id
    where acknowledgement.ended_because is null and finding.status = 'acknowledged'

)

select
    found.rule,
    found.level,
    count(*) filter (where acknowledged.rule is null) as findings,
    count(acknowledged.rule) as acknowledged
from found
left join acknowledged
    on found.rule = acknowledged.rule
    and found.environment = acknowledged.environment
    and found.subject = acknowledged.subject
group by found.rule, found.level
order by found.rule, found.level
