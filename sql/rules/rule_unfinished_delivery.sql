-- Unfinished delivery: a download of something bought, usually a restore, that never came through.
--
-- Finds      transactions and devices whose latest attempt did not end in delivered, once its grace
--            has run out.
-- Leaves out what was refunded, and what is a missing delivery already.
--
-- Gives  level, environment, subject, reason, detail
with

-- Only where something did not come through the latest attempt is of interest.
latest as (

    select distinct on (attempt.environment, attempt.transaction_id, attempt.device_id)
        attempt.*
    from attempt
    where
        attempt.is_configured
        and exists (
            select
            from attempt as unfinished
            where
                unfinished.status <> 'delivered'
                and unfinished.environment = attempt.environment
                and unfinished.transaction_id = attempt.transaction_id
        )
    order by
        attempt.environment,
        attempt.transaction_id,
        attempt.device_id,
        attempt.occurred_at desc,
        attempt.status,
        attempt.delivery_id

)

select
    'warning' as level,
    latest.environment,
    concat_ws(' ', latest.transaction_id, latest.device_id) as subject,
    null as reason,
    format(
        'latest attempt %s %s at %s',
        latest.delivery_id,
        latest.status,
        csv_instant(latest.occurred_at)
    ) as detail
from latest
cross join night
inner join family using (environment, family_key)
where
    latest.status <> 'delivered'
    and latest.grace_ends_at <= night.as_of
    and family.refunded_at is null
    and not exists (
        select
        from found
        inner join obligation
            on found.environment = obligation.environment and found.subject = obligation.subject
        where
            found.rule = 'missing_delivery'
            and obligation.environment = latest.environment
            and obligation.obligation_key = latest.obligation_key
    )
