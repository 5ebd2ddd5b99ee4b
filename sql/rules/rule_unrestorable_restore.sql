-- Returns one finding for each transaction that restores a product type that Apple does not restore.
--
-- Finds      transactions of consumables and non-renewing subscriptions whose id is not their original's.
-- Leaves out all other product types.
--
-- Levels     warning
-- Judges     purchases
-- Exception  match_pair.sql
-- Time       no
-- Reads      member
-- Gives      level, environment, reason, detail, family_key
-- Key        transaction_id
-- Resolved   catalogue, records
-- Sentence   Restored, although its type cannot be restored
-- Otherwise  explain_verdict.sql
select
    'warning' as level,
    environment,
    transaction_id,
    null as reason,
    format('%s %s, original transaction %s', product_type, product_id, original_transaction_id) as detail,
    family_key
from member
where
    is_configured
    and product_type in ('consumable', 'non_renewing')
    and transaction_id <> original_transaction_id
