-- Creates the views for people and their tools (psql, Metabase, Grafana). Their names and columns do not change when
-- tables change. They read no judged relation, so each costs no more than what it shows. reports/README.md lists them.

create view report_finding as
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
    finding.name,
    finding.amount,
    finding.currency,
    (finding.key).transaction_id,
    (finding.key).original_transaction_id,
    (finding.key).product_id,
    (finding.key).delivery_id
from finding
inner join run as first on finding.first_run_id = first.run_id
inner join run as changed on finding.changed_run_id = changed.run_id;

comment on view report_finding is 'Every finding that was ever found and is still kept, open and resolved';
comment on column report_finding.status is 'open, reopened, acknowledged or resolved';
comment on column report_finding.first_found_at is 'As-of of the night that found it first';
comment on column report_finding.changed_at is 'As-of of the night in which its status last changed';
comment on column report_finding.amount is
'What the purchase cost that it is about, as in findings.csv';
comment on column report_finding.transaction_id is
'The transaction that it is about; likewise original_transaction_id, product_id and delivery_id';
comment on column report_finding.name is 'Its name for tieout explain and tieout acknowledge';

create view report_missing_delivery as
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
    possible_match_delivery_id,
    possible_match_differs,
    amount,
    currency,
    price_source
from carried_missing_delivery;

comment on view report_missing_delivery is
'Missing deliveries as of the newest night, as in missing_deliveries.csv';
comment on column report_missing_delivery.due_at is 'Purchase date plus grace period';
comment on column report_missing_delivery.possible_match_delivery_id is
'A delivery that would have served it if one field had another value';
comment on column report_missing_delivery.possible_match_differs is 'The field that differs';
comment on column report_missing_delivery.price_source is
'receipt: what the customer paid; catalogue: a list price, an estimate; none: no amount is known';

create view report_duplicate_restore as
select
    environment,
    original_transaction_id,
    product_id,
    web_order_line_item_id,
    purchase_transaction_id,
    restored_transactions,
    restored_transactions - allowed_transactions as surplus_transactions,
    first_restored_at,
    last_restored_at,
    deliveries,
    accounts,
    devices
from carried_surplus_restore;

comment on view report_duplicate_restore is
'Families restored too often as of the newest night, as in duplicate_restores.csv';

create view report_revenue as
select
    day,
    product_id,
    product_type,
    product_state,
    nullif(storefront, '') as storefront,
    nullif(currency, '') as currency,
    price_source,
    sum(units_sold)::bigint as units_sold,
    sum(gross) as gross,
    sum(units_refunded)::bigint as units_refunded,
    sum(refunds) as refunds,
    sum(net) as net,
    sum(units_upgraded)::bigint as units_upgraded
from carried_revenue
group by day, product_id, product_type, product_state, storefront, currency, price_source;

comment on view report_revenue is
'Revenue as of the newest night, as in revenue.csv; never add amounts across currencies';

create view report_month as
select
    month,
    nullif(currency, '') as currency,
    price_source,
    sum(units_sold)::bigint as units_sold,
    sum(gross) as gross,
    sum(units_refunded)::bigint as units_refunded,
    sum(refunds) as refunds,
    sum(net) as net,
    sum(units_upgraded)::bigint as units_upgraded
from carried_month
group by month, currency, price_source;

comment on view report_month is
'Revenue by month as of the newest night, as in months.csv; never add amounts across currencies';
comment on column report_month.month is 'The first day of the month';
comment on column report_month.price_source is
'receipt: what customers paid; catalogue: list price, an estimate; none: no amount is known';

create view report_night as
select
    run.run_id,
    run.as_of,
    run.as_of_on,
    run.outcome,
    run.is_of_past_day,
    run.started_at,
    run.finished_at,
    extract(epoch from run.finished_at - run.started_at) as seconds,
    coalesce(counted.records_read, 0) as records_read,
    coalesce(counted.records_rejected, 0) as records_rejected,
    counted.transactions,
    counted.open_errors,
    counted.open_warnings,
    counted.open_infos
from run
left join (
    select
        run_id,
        sum(value) filter (where measure = 'read' and section <> 'files')::bigint as records_read,
        sum(value) filter (where measure = 'rejected' and section <> 'files')::bigint as records_rejected,
        sum(value) filter (where section = 'standing' and measure = 'transactions')::bigint as transactions,
        sum(value) filter (where section = 'open_error')::bigint as open_errors,
        sum(value) filter (where section = 'open_warning')::bigint as open_warnings,
        sum(value) filter (where section = 'open_info')::bigint as open_infos
    from run_count
    group by run_id
) as counted on run.run_id = counted.run_id;

comment on view report_night is 'Every run, with what it read and what was open at its end';
comment on column report_night.outcome is 'running, done, rejected, failed, stopped or killed';
comment on column report_night.is_of_past_day is 'The run was of a past day and changed no finding';
comment on column report_night.open_errors is
'Open findings of level error at its end; null for none and for runs that kept no counts';

create view report_open_by_night as
select
    last_run_of_day.as_of_on,
    run.as_of,
    substr(run_count.section, 6) as level,
    run_count.measure as rule,
    run_count.value as findings
from last_run_of_day
inner join run on last_run_of_day.run_id = run.run_id
inner join run_count on last_run_of_day.run_id = run_count.run_id
where
    last_run_of_day.outcome = 'done'
    and run_count.section in ('open_error', 'open_warning', 'open_info');

comment on view report_open_by_night is
'Open findings at the end of the last night of each day, by rule and level; rules without any are left out';

create view report_step as
select
    run.run_id,
    run.as_of,
    run_step.step_number,
    run_step.step,
    run_step.milliseconds / 1000.0 as seconds,
    run_step.row_count,
    run_step.byte_count
from run_step
inner join run on run_step.run_id = run.run_id;

comment on view report_step is 'How long each step of each run took, what it read or wrote';

create view report_rejection as
select
    run.as_of_on,
    rejection.path,
    rejection.line,
    rejection.kind,
    rejection.reason,
    rejection.detail,
    rejection.excerpt,
    1::bigint as records
from rejection
inner join run on rejection.run_id = run.run_id
where run.outcome = 'done'
union all
select
    run.as_of_on,
    rejection_rest.path,
    null,
    rejection_rest.kind,
    rejection_rest.reason,
    '',
    '',
    rejection_rest.records
from rejection_rest
inner join run on rejection_rest.run_id = run.run_id
where run.outcome = 'done';

comment on view report_rejection is 'What could not be used, as in rejected_records.csv, of every night';
comment on column report_rejection.records is
'1; in a row for rejections that were only counted, the number of them'
