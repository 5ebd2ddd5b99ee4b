-- Returns one finding for each transaction with an unsigned answer that is probably not from Apple.
--
-- Finds      transactions of which an unsigned answer names two environments: one as its own, another one as its
--            receipt's type; and those of which unsigned evidence gives a date in text and another one in milliseconds,
--            a refund before the purchase (both dates_disagree), or an expiry that is too late (far_expiry): public
--            scripts forge receipts in this way.
-- Leaves out evidence that Apple signed, and environments that are not configured. An answer that names two is found in
--            any environment, because one of the two may be a configured one.
--
-- Levels     warning
-- Judges     purchases
-- Exception  match_exception.sql
-- Time       no
-- Reads      evidence, member, store_transaction
-- Gives      level, environment, reason, detail, family_key
-- Key        transaction_id
-- Resolved   records
-- Sentence   A receipt of it looks forged
-- Otherwise  no evidence of it looks forged
with

suspicious as (

    select
        evidence.environment,
        evidence.transaction_id,
        member.family_key,
        bool_or(evidence.environments_disagree) as environments_disagree,
        bool_or(evidence.dates_disagree) as dates_disagree,
        bool_or(
            evidence.dates_disagree
            and evidence.cancelled_at
            < least(evidence.purchased_at, evidence.original_purchased_at) - interval '1 second'
            -- Without its original date, a restored transaction may be younger than its refund.
            and (
                evidence.original_purchased_at is not null
                or coalesce(evidence.original_number, evidence.transaction_number) = evidence.transaction_number
            )
        ) as is_refunded_early,
        max(evidence.expires_at) as expires_at
    from store_transaction
    inner join member using (environment, transaction_number)
    inner join evidence using (environment, transaction_number)
    where
        store_transaction.is_suspicious
        and (member.is_configured or evidence.environments_disagree)
        and evidence.trust <> 'signed'
    group by evidence.environment, evidence.transaction_id, member.family_key

)

select
    'warning' as level,
    environment,
    transaction_id,
    case
        when environments_disagree then 'environments_disagree'
        when dates_disagree then 'dates_disagree'
        else 'far_expiry'
    end as reason,
    concat_ws(
        ', ',
        case
            when environments_disagree
                then 'the answer says ' || environment || ', and its receipt another environment'
        end,
        case
            when is_refunded_early then 'the refund is before the purchase'
            when dates_disagree then 'a date in text is not the same date in milliseconds'
        end,
        case
            when expires_at >= far_expiry() then 'expires at ' || csv_instant(expires_at)
        end
    ) as detail,
    family_key
from suspicious
