-- Returns one row for each rule and level of the findings that are not resolved.
select
    rule,
    level,
    count(*) as findings
from finding
where status <> 'resolved'
group by rule, level
order by rule, level
