-- Returns one finding for each family of restored transactions whose purchase no receipt contains.
--
-- Finds      families without their completed purchase, of products that are not subscriptions.
-- Leaves out subscriptions: their first transaction counts as the completed purchase.
--
-- Levels     info
-- Judges     purchases
-- Exception  match_family.sql
-- Time       no
-- Reads      family
-- Gives      level, environment, reason, detail
-- Key        original_transaction_id, product_id
-- Resolved   records, catalogue
-- Sentence   Restored, and no receipt contains its purchase
-- Otherwise  no restored transaction lacks its purchase
select
    'info' as level,
    environment,
    original_transaction_id,
    product_id,
    null as reason,
    format('restored transactions: %s, the first at %s', restored_transactions, csv_instant(first_restored_at))
        as detail
from family
where is_configured and not is_completed
