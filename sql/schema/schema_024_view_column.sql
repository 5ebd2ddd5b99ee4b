-- What findings.csv and missing_deliveries.csv tell at the end of a row, for tools as well.

create or replace view report_finding as
select
    finding.rule,
    finding.level,
    finding.environment,
    finding.subject,
    finding.reason,
    finding.detail,
    finding.status,
    finding.first_flagged_on,
    first.as_of as first_found_at,
    changed.as_of as changed_at,
    finding.name
from finding
inner join run as first on finding.first_run_id = first.run_id
inner join run as changed on finding.changed_run_id = changed.run_id;

comment on column report_finding.name is 'What tieout explain and tieout acknowledge know it by';

create or replace view report_missing_delivery as
select
    environment,
    transaction_id,
    original_transaction_id,
    product_id,
    account_id,
    purchased_at,
    due_at,
    reason,
    attempts,
    last_attempt_at,
    last_error,
    near_miss_delivery_id,
    near_miss_differs
from carried_missing_delivery;

comment on column report_missing_delivery.near_miss_delivery_id is
'A delivery that would have served it if one field were another';
comment on column report_missing_delivery.near_miss_differs is 'That field';
