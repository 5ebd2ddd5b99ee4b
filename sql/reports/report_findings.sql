-- Returns findings.csv: one row for each finding that is not resolved at as-of.
--
-- The select list is the CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     without totals
-- Rule      none
-- Identity  rule, subject, finding
-- As-of     none
select
    found.rule,
    found.level,
    csv_text(found.subject) as subject,
    found.reason,
    csv_text(found.detail) as detail,
    coalesce(finding.first_flagged_on, night.as_of_on) as first_flagged_on,
    coalesce(nullif(finding.status, 'resolved'), 'open') as status,
    coalesce(finding.name, finding_name(found.rule, found.environment, found.subject)) as finding,
    found.amount,
    csv_text(found.currency) as currency
from found
cross join night
left join finding
    on found.rule = finding.rule
    and found.environment = finding.environment
    and found.subject_hash = finding.subject_hash
order by found.rule, found.subject, found.reason nulls first, found.environment
