-- Suspicious receipt: an unsigned answer that Apple would hardly have given.
--
-- Finds      transactions of which unsigned evidence gives a date in text and another one in milliseconds,
--            or an expiry after 2090: public scripts forge receipts like that.
-- Leaves out what Apple signed.
--
-- Gives  level, environment, subject, reason, detail
with

suspicious as (

    select
        evidence.environment,
        evidence.transaction_id,
        bool_or(evidence.dates_disagree) as dates_disagree,
        max(evidence.expires_at) as expires_at
    from store_transaction
    inner join considered_transaction using (environment, transaction_id)
    inner join evidence using (environment, transaction_id)
    where
        store_transaction.is_suspicious
        and considered_transaction.is_configured
        and evidence.trust <> 'signed'
    group by evidence.environment, evidence.transaction_id

)

select
    'warning' as level,
    environment,
    transaction_id as subject,
    case when dates_disagree then 'dates_disagree' else 'far_expiry' end as reason,
    concat_ws(
        ', ',
        case when dates_disagree then 'a date in text is not the same date in milliseconds' end,
        case
            when expires_at >= '2091-01-01T00:00:00Z' then 'expires at ' || csv_instant(expires_at)
        end
    ) as detail
from suspicious
