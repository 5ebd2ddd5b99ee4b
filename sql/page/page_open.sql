-- Returns the number of open findings and of acknowledged findings of the night, by rule and level.
select
    found.rule,
    found.level,
    count(*) filter (where acknowledged.rule is null) as findings,
    count(acknowledged.rule) as acknowledged
from found
left join acknowledged_finding as acknowledged
    on found.rule = acknowledged.rule
    and found.environment = acknowledged.environment
    and found.subject = acknowledged.subject
group by found.rule, found.level
order by found.rule, found.level
