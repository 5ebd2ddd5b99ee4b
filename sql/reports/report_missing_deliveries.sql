-- missing_deliveries.csv: what was charged for, fell due and was never delivered. One row for each open
-- finding of missing_delivery. The select list is the CSV header.
with

missing as (

    select
        obligation.*,
        found.reason,
        coalesce(finding.first_flagged_on, night.as_of_on) as first_flagged_on
    from found
    cross join night
    inner join obligation
        on found.environment = obligation.environment and found.subject = obligation.subject
    left join finding
        on found.rule = finding.rule
        and found.environment = finding.environment
        and sha256(convert_to(found.subject, 'UTF8')) = finding.subject_hash
    where found.rule = 'missing_delivery'

),

latest as (

    select distinct on (missing.environment, missing.obligation_key)
        missing.environment,
        missing.obligation_key,
        attempt.occurred_at as last_attempt_at,
        attempt.error as last_error,
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

    -- Every account that evidence or a delivery of what is owed names.
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
    csv_text(missing.transaction_id) as transaction_id,
    csv_text(missing.original_transaction_id) as original_transaction_id,
    csv_text(missing.product_id) as product_id,
    csv_text(account.account_id) as account_id,
    csv_instant(missing.purchased_at) as purchased_at,
    csv_instant(missing.due_at) as due_at,
    floor(extract(epoch from night.as_of - missing.due_at) / 3600)::bigint as hours_overdue,
    missing.reason,
    coalesce(latest.attempts, 0) as attempts,
    csv_instant(latest.last_attempt_at) as last_attempt_at,
    csv_text(latest.last_error) as last_error,
    missing.first_flagged_on
from missing
cross join night
left join latest using (environment, obligation_key)
left join account using (environment, obligation_key)
order by
    missing.purchased_at,
    length(missing.transaction_id),
    missing.transaction_id,
    missing.environment,
    missing.obligation_key
