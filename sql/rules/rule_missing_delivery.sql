-- Returns one finding for each missing delivery: it is owed and due, and no delivery of its product is known.
--
-- Finds      obligations that fell due by as-of, whose purchase is not before the books begin, and that have no
--            delivered delivery of their product.
-- Leaves out refunded purchases, and on-demand content that nobody asked for (judge_obligation.sql).
--
-- Levels     error, warning
-- Judges     purchases
-- Exception  match_exception.sql, match_service.sql
-- Time       carried_due.sql
-- Reads      undelivered
-- Gives      level, environment, reason, detail, family_key
-- Key        original_transaction_id, product_id, web_order_line_item_id, purchased_at
-- Resolved   catalogue, records
-- Sentence   none
-- Otherwise  explain_verdict.sql
select
    case when reason = 'no_records' then 'warning' else 'error' end as level,
    environment,
    original_transaction_id,
    product_id,
    case when obligation_key like 'w %' then substr(obligation_key, 3) end as web_order_line_item_id,
    case when obligation_key like 'd %' then purchased_at end as purchased_at,
    reason,
    format(
        'transaction %s, bought %s, due %s',
        transaction_id,
        csv_instant(purchased_at),
        csv_instant(due_at)
    ) as detail,
    family_key
from undelivered
