-- Returns one row for each rule and level of the findings that are not resolved.
select
    rule,
    level,
    count(*) as findings
from standing_finding
group by rule, level
order by rule, level
