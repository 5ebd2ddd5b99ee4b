-- Returns one row for each transaction with a questioned refund: the refunds that stand at as-of, the part of the
-- amount that evidence of each states, or null, and the refunds that Apple has taken back.
--
-- A refund is questioned if there is also a signed transaction without it, or if evidence gives different refunded
-- parts or different dates. A refund counts until a transaction that Apple signed later, by as-of, does not contain it.
-- Later means: later than the refund and than the youngest evidence that contains it. Evidence can be older than its
-- refund, because evidence without a date of its own is as old as the purchase. Of two transactions that Apple signed
-- at the same instant, the one without the refund counts: the notification of a reversed refund and its own transaction
-- are signed together, and a copy of this transaction must not bring the refund back. Of repeated evidence, the oldest
-- and the youngest age are known. A signed transaction that says that it is upgraded takes no refund back: Apple may
-- state no date for the refund of an upgrade. The evidence of a notification of a reversed refund says neither.
-- For all other transactions the earliest refund counts (judge_considered_transaction.sql). If the setting `trust` is
-- signed, unsigned evidence does not count.
with

questioned as (

    select
        evidence.cancelled_at,
        evidence.environment,
        evidence.transaction_id,
        evidence.evidence_at,
        coalesce(evidence.last_evidence_at, evidence.evidence_at) as last_evidence_at,
        greatest(evidence.evidence_at, evidence.last_evidence_at, evidence.cancelled_at) as counts_until,
        evidence.is_signed_transaction,
        evidence.is_upgraded,
        evidence.revocation_percentage
    from store_transaction
    cross join night
    inner join evidence using (environment_code, transaction_number)
    where
        store_transaction.is_refund_questioned
        and (night.trust <> 'signed' or evidence.trust = 'signed')

),

taken_back as (

    select
        questioned.environment,
        questioned.transaction_id,
        max(
            case
                when questioned.last_evidence_at <= night.as_of then questioned.last_evidence_at
                else questioned.evidence_at
            end
        ) as signed_at
    from questioned
    cross join night
    where
        shows_no_refund(questioned.is_signed_transaction, questioned.cancelled_at, questioned.is_upgraded)
        and questioned.evidence_at <= night.as_of
    group by questioned.environment, questioned.transaction_id

),

known as (

    select
        questioned.environment,
        questioned.transaction_id,
        questioned.cancelled_at,
        max(questioned.revocation_percentage) filter (where stands.is_true) as revocation_percentage,
        bool_or(stands.is_true) as is_standing
    from questioned
    cross join night
    left join taken_back using (environment, transaction_id)
    cross join lateral (
        select
            taken_back.signed_at is null
            or questioned.counts_until > taken_back.signed_at
            or questioned.counts_until = taken_back.signed_at and not questioned.is_signed_transaction
                as is_true
    ) as stands
    where questioned.cancelled_at <= night.as_of
    group by questioned.environment, questioned.transaction_id, questioned.cancelled_at

)

select
    environment,
    transaction_id,
    array_agg(cancelled_at order by cancelled_at) filter (where is_standing) as standing_refunds,
    array_agg(revocation_percentage order by cancelled_at) filter (where is_standing) as standing_parts,
    array_agg(cancelled_at order by cancelled_at) filter (where not is_standing) as reversed_refunds
from known
group by environment, transaction_id
