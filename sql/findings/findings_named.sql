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
where
    name >= $1
    -- Comes after all names that begin with it.
    and name < $1 || 'g'
order by
    name,
    finding_id
limit 6
