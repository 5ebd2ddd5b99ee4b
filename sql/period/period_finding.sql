-- Returns one row for each rule and level of the findings that are not resolved: how many are open, and how many
-- acknowledged.
select
    rule,
    level,
    count(*) filter (where status <> 'acknowledged') as open,
    count(*) filter (where status = 'acknowledged') as acknowledged
from standing_finding
group by rule, level
order by rule, level
