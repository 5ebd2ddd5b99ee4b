-- Returns duplicate_restores.csv: one row for each purchase that was restored more often than allowed, also if its
-- finding is acknowledged.
--
-- The select list is the CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     without totals
-- Rule      duplicate_restore
-- Identity  original_transaction_id, product_id, web_order_line_item_id, purchase_transaction_id, environment
-- As-of     none
select
    csv_text(surplus.original_transaction_id) as original_transaction_id,
    csv_text(surplus.product_id) as product_id,
    csv_text(surplus.web_order_line_item_id) as web_order_line_item_id,
    csv_text(surplus.purchase_transaction_id) as purchase_transaction_id,
    surplus.restored_transactions,
    surplus.restored_transactions - surplus.allowed_transactions as surplus_transactions,
    csv_instant(surplus.first_restored_at) as first_restored_at,
    csv_instant(surplus.last_restored_at) as last_restored_at,
    surplus.deliveries,
    surplus.accounts,
    surplus.devices,
    csv_text(surplus.restored_transaction_ids) as restored_transaction_ids,
    coalesce(finding.first_flagged_on, night.as_of_on) as first_flagged_on,
    csv_text(surplus.environment) as environment
from carried_surplus_restore as surplus
cross join night
left join finding
    on finding.rule = 'duplicate_restore'
    and surplus.environment = finding.environment
    and text_hash(surplus.subject) = finding.subject_hash
order by
    identifier_order(surplus.original_transaction_id),
    surplus.product_id,
    identifier_order(surplus.web_order_line_item_id) nulls first,
    -- Families without a line item can be equal in all columns above.
    identifier_order(surplus.purchase_transaction_id) nulls first,
    surplus.environment
