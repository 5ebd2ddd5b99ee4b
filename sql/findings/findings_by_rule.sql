-- Returns the number of tonight's findings of each rule. Each report must have at least as many rows.
--
-- Gives  rule, findings
select
    rule,
    count(*) as findings
from found
group by rule
