-- What is found: the findings that are open. While a night judges, what its rules find.
select
    rule,
    level,
    environment,
    subject,
    reason,
    detail
from finding
where status <> 'resolved'
