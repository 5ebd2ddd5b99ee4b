-- Returns one row for each missing delivery that rule_missing_delivery.sql found, with the columns of
-- missing_deliveries.csv and the quantity of its purchase. The columns of its best possible match are filled later
-- (carried_nearest.sql).
--
-- The relations of all purchases are filtered first, and everything else is a left join. Otherwise the planner expects
-- one missing delivery, and compares every row with every other.
with

missing as (

    select
        obligation.*,
        found.reason
    from obligation
    -- Each has a finding. Two obligations can have the same subject if an identifier contains spaces.
    left join found
        on found.rule = 'missing_delivery'
        and obligation.environment = found.environment
        and obligation.subject = found.subject
    where obligation.class = 'undelivered'

),

attempted as materialized (

    select *
    from attempt
    where (environment, obligation_key) in (select environment, obligation_key from missing)

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
    where (environment, family_key) in (select environment, family_key from missing)

),

named as (

    -- Every account that evidence or a delivery of the obligation names.
    select member.environment, member.obligation_key, account.account_id
    from member
    cross join unnest(member.account_ids) as account (account_id)
    where (member.environment, member.obligation_key) in (select environment, obligation_key from missing)
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
    missing.environment,
    missing.obligation_key,
    missing.subject,
    missing.transaction_id,
    missing.original_transaction_id,
    missing.product_id,
    account.account_id,
    missing.purchased_at,
    missing.due_at,
    missing.reason,
    coalesce(latest.attempts, 0) as attempts,
    latest.last_attempt_at,
    latest.last_error,
    missing.product_type,
    latest.server,
    latest.region,
    latest.app_version,
    purchase.quantity,
    sale.amount,
    scale(sale.amount) as amount_scale,
    sale.currency,
    -- A purchase that a family member shares is no sale.
    coalesce(sale.price_source, 'none') as price_source
from missing
left join latest using (environment, obligation_key)
left join account using (environment, obligation_key)
left join purchase
    on missing.environment = purchase.environment and missing.family_key = purchase.family_key
left join sale on missing.environment = sale.environment and missing.family_key = sale.family_key
