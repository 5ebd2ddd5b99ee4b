-- Returns the findings whose names begin like a given one, found by index; at most six.
--
-- Takes  $1: the beginning of a name, such as F-9c0e
-- Gives  finding_id, name, rule, subject, status
select
    finding_id,
    name,
    rule,
    subject,
    status
from tieout.finding
where tieout.finding_name_begins(name, $1)
order by
    name,
    finding_id
limit 6
