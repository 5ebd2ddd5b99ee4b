-- Returns one row for each rule, level and status of the findings that are not resolved.
select
    rule,
    level,
    status,
    count(*) as findings
from finding
where status <> 'resolved'
group by rule, level, status
order by rule, level, status
