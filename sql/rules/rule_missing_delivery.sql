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
-- Reads      attempt, obligation, unheard, unrecorded
-- Gives      level, environment, reason, detail, family_key
-- Key        original_transaction_id, product_id, web_order_line_item_id, purchased_at
-- Sentence   none
-- Otherwise  explain_verdict.sql
with

undelivered as not materialized (

    select obligation.*
    from obligation
    where obligation.class = 'undelivered'

),

latest as (

    select distinct on (undelivered.environment, undelivered.obligation_key)
        undelivered.environment,
        undelivered.obligation_key,
        attempt.status,
        bool_or(attempt.status = 'delivered') over (
            partition by undelivered.environment, undelivered.obligation_key
        ) as is_other_product_delivered
    from undelivered
    inner join attempt using (environment, obligation_key)
    order by
        undelivered.environment,
        undelivered.obligation_key,
        latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)

),

reasoned as (

    select
        undelivered.*,
        case
            when latest.is_other_product_delivered then 'wrong_product'
            when latest.status is not null then latest.status
            when unrecorded.obligation_key is not null then 'no_records'
            when unheard.obligation_key is not null then 'no_records'
            else 'never_attempted'
        end as reason
    from undelivered
    left join latest using (environment, obligation_key)
    left join unrecorded using (environment, obligation_key)
    left join unheard using (environment, obligation_key)
    -- The reason is used three times below. `offset 0` makes the planner compute it once.
    offset 0

)

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
from reasoned
