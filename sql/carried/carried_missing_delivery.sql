-- Returns one row for each missing delivery (judge_undelivered.sql), with the columns of missing_deliveries.csv and the
-- quantity of its purchase. The columns of its best possible match are filled later (carried_nearest.sql).
--
-- The relations of all purchases are filtered first, and everything else is a left join. Otherwise the planner expects
-- one missing delivery, and chooses a nested loop over all rows.
with

attempted as materialized (

    select *
    from attempt
    where (environment, obligation_key) in (select environment, obligation_key from undelivered)

),

latest as (

    select distinct on (environment, obligation_key)
        environment,
        obligation_key,
        occurred_at as last_attempt_at,
        error as last_error,
        server,
        region,
        app_version,
        count(*) over (partition by environment, obligation_key) as attempts
    from attempted
    order by
        environment,
        obligation_key,
        latest_first(occurred_at, status, delivery_id)

),

purchase as (

    select
        environment,
        family_key,
        quantity
    from family
    where (environment, family_key) in (select environment, family_key from undelivered)

),

named as (

    -- Every account that evidence or a delivery of the obligation names.
    select member.environment, member.obligation_key, account.account_id
    from member
    cross join unnest(member.account_ids) as account (account_id)
    where (member.environment, member.obligation_key) in (select environment, obligation_key from undelivered)
    union all
    select environment, obligation_key, account_id
    from attempted

),

account as (

    select environment, obligation_key, min(account_id) as account_id
    from named
    group by environment, obligation_key

)

select
    undelivered.environment,
    undelivered.obligation_key,
    undelivered.subject,
    undelivered.transaction_id,
    undelivered.original_transaction_id,
    undelivered.product_id,
    account.account_id,
    undelivered.purchased_at,
    undelivered.due_at,
    undelivered.reason,
    coalesce(latest.attempts, 0) as attempts,
    latest.last_attempt_at,
    latest.last_error,
    undelivered.product_type,
    latest.server,
    latest.region,
    latest.app_version,
    purchase.quantity,
    sale.amount,
    scale(sale.amount) as amount_scale,
    sale.currency,
    -- A purchase that a family member shares is no sale.
    coalesce(sale.price_source, 'none') as price_source
from undelivered
left join latest using (environment, obligation_key)
left join account using (environment, obligation_key)
left join purchase
    on undelivered.environment = purchase.environment and undelivered.family_key = purchase.family_key
left join sale on undelivered.environment = sale.environment and undelivered.family_key = sale.family_key
