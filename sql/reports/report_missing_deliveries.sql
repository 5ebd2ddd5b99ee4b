-- Returns missing_deliveries.csv: one row for each purchase that fell due and is not known to be delivered, also if its
-- finding is acknowledged (uncertain ones have the reason no_records).
--
-- The select list is the CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     with totals
-- Rule      missing_delivery
-- Identity  original_transaction_id, product_id, transaction_id, environment
-- As-of     hours_overdue
select
    csv_text(missing.transaction_id) as transaction_id,
    csv_text(missing.original_transaction_id) as original_transaction_id,
    csv_text(missing.product_id) as product_id,
    csv_text(missing.account_id) as account_id,
    csv_instant(missing.purchased_at) as purchased_at,
    csv_instant(missing.due_at) as due_at,
    floor(extract(epoch from night.as_of - missing.due_at) / 3600)::bigint as hours_overdue,
    missing.reason,
    missing.attempts,
    csv_instant(missing.last_attempt_at) as last_attempt_at,
    csv_text(missing.last_error) as last_error,
    coalesce(finding.first_flagged_on, night.as_of_on) as first_flagged_on,
    csv_text(missing.possible_match_delivery_id) as possible_match_delivery_id,
    missing.possible_match_differs,
    missing.amount,
    csv_text(missing.currency) as currency,
    missing.price_source,
    csv_text(missing.environment) as environment,
    missing.quantity as units
from carried_missing_delivery as missing
cross join night
left join finding
    on finding.rule = 'missing_delivery'
    and missing.environment = finding.environment
    and text_hash(missing.subject) = finding.subject_hash
order by
    missing.purchased_at,
    identifier_order(missing.transaction_id),
    missing.environment,
    missing.obligation_key
