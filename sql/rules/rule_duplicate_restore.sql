-- Returns one finding for each purchase that was restored more often than its number of devices explains.
--
-- Finds      families with more restored transactions than allowed.
-- Leaves out families whose last restore is older than the restore window.
--
-- Levels     warning
-- Judges     purchases
-- Exception  match_family.sql
-- Time       carried_due.sql
-- Reads      restored_family
-- Gives      level, environment, reason, detail, family_key
-- Key        original_transaction_id, product_id, web_order_line_item_id, purchased_at
-- Resolved   catalogue, records
-- Sentence   Restored more often than allowed
-- Otherwise  explain_verdict.sql
select
    'warning' as level,
    environment,
    original_transaction_id,
    product_id,
    web_order_line_item_id,
    purchased_at,
    null as reason,
    format('restored transactions: %s, allowed: %s', restored_transactions, allowed_transactions) as detail,
    family_key
from restored_family
where is_surplus
