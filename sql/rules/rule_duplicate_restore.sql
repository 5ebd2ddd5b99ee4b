-- Returns one finding for each purchase that was restored more often than the devices that named it explain.
--
-- Finds      families with more restored transactions than allowed.
-- Leaves out families whose last restore is older than the restore window.
--
-- Levels     warning
-- Judges     purchases
-- Exception  match_family.sql
-- Time       carried_due.sql
-- Reads      night, restored_family
-- Gives      level, environment, reason, detail, family_key
-- Key        original_transaction_id, product_id, web_order_line_item_id, purchased_at
-- Sentence   Restored more often than allowed
-- Otherwise  explain_verdict.sql
select
    'warning' as level,
    restored_family.environment,
    restored_family.original_transaction_id,
    restored_family.product_id,
    restored_family.web_order_line_item_id,
    restored_family.purchased_at,
    null as reason,
    format(
        'restored transactions: %s, allowed: %s',
        restored_family.restored_transactions,
        restored_family.allowed_transactions
    ) as detail,
    restored_family.family_key
from restored_family
cross join night
where
    restored_family.restored_transactions > restored_family.allowed_transactions
    and (
        night.restore_window is null
        or restored_family.last_restored_at + night.restore_window >= night.as_of
    )
