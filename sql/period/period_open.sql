-- Returns open.csv: what is open when a period is closed, by rule, level, reason and currency.
--
-- The amounts are those of findings.csv. The select list is the CSV header.
select
    finding.rule,
    finding.level,
    finding.reason,
    csv_text(finding.currency) as currency,
    finding.status,
    count(*) as findings,
    sum(finding.amount) as amount
from standing_finding as finding
group by
    finding.rule,
    finding.level,
    finding.reason,
    finding.currency,
    finding.status
order by
    finding.rule,
    finding.level,
    finding.reason nulls first,
    finding.currency nulls first,
    finding.status
