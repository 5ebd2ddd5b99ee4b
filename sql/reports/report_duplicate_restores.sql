-- duplicate_restores.csv: purchases that were restored more often than allowed. One row for each open
-- finding of duplicate_restore. The select list is the CSV header.
with

restored as (

    select
        restored_family.environment,
        restored_family.family_key,
        string_agg(
            member.transaction_id, ' ' order by length(member.transaction_id), member.transaction_id
        ) as restored_transaction_ids
    from found
    inner join restored_family
        on found.environment = restored_family.environment and found.subject = restored_family.subject
    inner join member
        on restored_family.environment = member.environment
        and restored_family.family_key = member.family_key
    where found.rule = 'duplicate_restore' and not member.is_completed_purchase
    group by restored_family.environment, restored_family.family_key

)

select
    csv_text(restored_family.original_transaction_id) as original_transaction_id,
    csv_text(restored_family.product_id) as product_id,
    csv_text(restored_family.web_order_line_item_id) as web_order_line_item_id,
    csv_text(restored_family.purchase_transaction_id) as purchase_transaction_id,
    restored_family.restored_transactions,
    restored_family.restored_transactions - restored_family.allowed_transactions as surplus_transactions,
    csv_instant(restored_family.first_restored_at) as first_restored_at,
    csv_instant(restored_family.last_restored_at) as last_restored_at,
    restored_family.deliveries,
    restored_family.accounts,
    restored_family.devices,
    csv_text(restored.restored_transaction_ids) as restored_transaction_ids,
    coalesce(finding.first_flagged_on, night.as_of_on) as first_flagged_on
from restored
cross join night
inner join restored_family using (environment, family_key)
left join finding
    on finding.rule = 'duplicate_restore'
    and restored_family.environment = finding.environment
    and sha256(convert_to(restored_family.subject, 'UTF8')) = finding.subject_hash
order by
    length(restored_family.original_transaction_id),
    restored_family.original_transaction_id,
    restored_family.product_id,
    length(restored_family.web_order_line_item_id) nulls first,
    restored_family.web_order_line_item_id,
    -- Families without a line item can share all of these.
    length(restored_family.purchase_transaction_id) nulls first,
    restored_family.purchase_transaction_id,
    restored_family.environment
