-- Returns one row for each missing delivery that rule_missing_delivery.sql found, with the columns of
-- missing_deliveries.csv, the quantity of its purchase and its best possible match (schema_near_miss.sql).
with

missing as (

    select
        obligation.*,
        found.reason
    from found
    inner join obligation
        on found.environment = obligation.environment and found.subject = obligation.subject
    -- Two obligations can have the same subject if an identifier contains spaces.
    where found.rule = 'missing_delivery' and obligation.class = 'undelivered'

),

latest as (

    select distinct on (missing.environment, missing.obligation_key)
        missing.environment,
        missing.obligation_key,
        attempt.occurred_at as last_attempt_at,
        attempt.error as last_error,
        attempt.server,
        attempt.region,
        attempt.app_version,
        count(*) over (partition by missing.environment, missing.obligation_key) as attempts
    from missing
    inner join attempt using (environment, obligation_key)
    order by
        missing.environment,
        missing.obligation_key,
        attempt.occurred_at desc,
        attempt.status,
        attempt.delivery_id

),

named as (

    -- Every account that evidence or a delivery of the obligation names.
    select missing.environment, missing.obligation_key, account.account_id
    from missing
    inner join family using (environment, obligation_key)
    inner join member
        on family.environment = member.environment and family.family_key = member.family_key
    cross join unnest(member.account_ids) as account (account_id)
    union all
    select missing.environment, missing.obligation_key, attempt.account_id
    from missing
    inner join attempt using (environment, obligation_key)

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
    near_miss.delivery_id as near_miss_delivery_id,
    near_miss.differs as near_miss_differs,
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
cross join night
left join latest using (environment, obligation_key)
left join account using (environment, obligation_key)
inner join family as purchase
    on missing.environment = purchase.environment and missing.family_key = purchase.family_key
left join sale on missing.environment = sale.environment and missing.family_key = sale.family_key
left join lateral near_misses(
    missing.environment,
    missing.transaction_id,
    missing.product_id,
    account.account_id,
    missing.purchased_at,
    night.as_of
) as near_miss
    on near_miss.place = 1
