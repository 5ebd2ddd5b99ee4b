-- Returns one finding for each unfinished download of a purchase, usually of a restore.
--
-- Finds      transactions and devices whose latest attempt did not end in delivered, after its grace period.
-- Leaves out refunded purchases, and deliveries that are missing deliveries already.
--
-- Levels     warning
-- Judges     purchases
-- Exception  match_exception.sql
-- Time       carried_due.sql
-- Reads      attempt, family, night, undelivered
-- Gives      level, environment, reason, detail, family_key
-- Key        transaction_id, device_id
-- Resolved   catalogue, records
-- Sentence   Not finished on one device
-- Otherwise  explain_verdict.sql
with

-- Few transactions have an attempt that was not delivered. Only their latest attempts are needed.
candidate as materialized (

    select distinct
        environment,
        transaction_id
    from attempt
    where is_configured and status <> 'delivered'

),

latest as materialized (

    select distinct on (attempt.environment, attempt.transaction_id, attempt.device_id)
        attempt.environment,
        attempt.transaction_id,
        attempt.device_id,
        attempt.delivery_id,
        attempt.family_key,
        attempt.obligation_key,
        attempt.status,
        attempt.occurred_at,
        attempt.grace_ends_at
    from attempt
    where exists (
        select
        from candidate
        where
            candidate.environment = attempt.environment
            and candidate.transaction_id = attempt.transaction_id
    )
    order by
        attempt.environment,
        attempt.transaction_id,
        attempt.device_id,
        latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)

),

-- The large relation is read once, with a filter for the few rows that are needed.
unrefunded as materialized (

    select
        environment,
        family_key
    from family
    where refunded_at is null and family_key in (select family_key from latest where status <> 'delivered')

)

select
    'warning' as level,
    latest.environment,
    latest.transaction_id,
    latest.device_id,
    null as reason,
    format(
        case latest.status
            when 'pending' then 'latest attempt %s begun at %s, not ended'
            else 'latest attempt %s failed at %s'
        end,
        latest.delivery_id,
        csv_instant(latest.occurred_at)
    ) as detail,
    latest.family_key
from latest
cross join night
inner join unrefunded using (environment, family_key)
where
    latest.status <> 'delivered'
    and latest.grace_ends_at <= night.as_of
    and not exists (
        select
        from undelivered
        where
            undelivered.environment = latest.environment
            and undelivered.obligation_key = latest.obligation_key
    )
