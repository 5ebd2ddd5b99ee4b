-- Returns one row for each finding that is not resolved.
--
-- While a night judges, the temporary table `found` contains what its rules find.
select
    rule,
    level,
    environment,
    key,
    subject,
    subject_hash,
    reason,
    detail,
    amount,
    currency
from finding
where status <> 'resolved'
