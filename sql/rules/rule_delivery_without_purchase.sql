-- Delivery without purchase: the content server handed over what no purchase pays for.
--
-- Finds      delivered deliveries of listed products, since the books begin and once their grace has
--            run out, whose transaction is known in another environment only, or not at all, or
--            whose family was refunded before.
-- Leaves out families whose refund was an upgrade.
--
-- Gives  level, environment, subject, reason, detail
with

candidate as (

    select attempt.*
    from attempt
    cross join night
    cross join books
    where
        attempt.is_configured
        and attempt.status = 'delivered'
        and attempt.is_listed
        and attempt.grace_ends_at <= night.as_of
        and attempt.occurred_at >= books.begin_at

),

reasoned as (

    select
        candidate.*,
        case
            when
                candidate.family_key is null
                and exists (
                    select
                    from member
                    where
                        member.transaction_id = candidate.transaction_id
                        and member.environment <> candidate.environment
                )
                then 'other_environment'
            when
                candidate.family_key is null
                and not exists (
                    select from member where member.original_transaction_id = candidate.transaction_id
                )
                then 'unknown_transaction'
            when family.refunded_at < candidate.occurred_at and not family.is_upgrade then 'refunded'
        end as reason
    from candidate
    left join family using (environment, family_key)

)

select
    case when reason = 'other_environment' then 'warning' else 'error' end as level,
    environment,
    delivery_id as subject,
    reason,
    format(
        '%s for transaction %s at %s', product_id, transaction_id, csv_instant(occurred_at)
    ) as detail
from reasoned
where reason is not null
