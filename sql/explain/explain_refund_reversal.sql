-- Returns one row for each refund of an explained purchase that Apple has reversed, in words.
--
-- A transaction that Apple signed later than all evidence with the refund does not contain it (judge_refund.sql). If
-- earlier evidence says the same, only its first file is known, so that the row has no file.
--
-- Takes  thing.
-- Gives  the columns of explain_timeline.sql
with

piece as (

    select
        thing.thing_key,
        evidence.*,
        coalesce(evidence.last_evidence_at, evidence.evidence_at) as newest_at
    from thing
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    inner join evidence
        on member.environment = evidence.environment and member.transaction_number = evidence.transaction_number
    where member.refunded_at is null

),

known_refund as (

    select
        environment,
        thing_key,
        transaction_id,
        max(cancelled_at) as cancelled_at,
        max(newest_at) as newest_at
    from piece
    where cancelled_at is not null
    group by environment, thing_key, transaction_id

),

reversal as (

    select distinct on (piece.environment, piece.thing_key, piece.transaction_id)
        piece.environment,
        piece.thing_key,
        piece.transaction_id,
        known_refund.cancelled_at,
        case when piece.evidence_at > known_refund.newest_at then piece.evidence_at else piece.newest_at end as at,
        case when piece.evidence_at > known_refund.newest_at then piece.file_id end as file_id,
        case when piece.evidence_at > known_refund.newest_at then piece.line end as line,
        case when piece.evidence_at > known_refund.newest_at then piece.pointer end as pointer
    from piece
    inner join known_refund
        on piece.environment = known_refund.environment
        and piece.thing_key = known_refund.thing_key
        and piece.transaction_id = known_refund.transaction_id
    where piece.is_signed_transaction and piece.cancelled_at is null and piece.newest_at > known_refund.newest_at
    order by
        piece.environment,
        piece.thing_key,
        piece.transaction_id,
        case when piece.evidence_at > known_refund.newest_at then piece.evidence_at else piece.newest_at end,
        piece.file_id,
        piece.line,
        piece.pointer

)

select
    reversal.environment,
    reversal.thing_key,
    csv_instant(reversal.at) as at,
    'reversed' as event,
    format(
        'transaction %s: Apple reversed the refund of %s', reversal.transaction_id, csv_instant(reversal.cancelled_at)
    ) as words,
    input_file.path as file,
    reversal.line,
    reversal.pointer
from reversal
cross join night
left join input_file using (file_id)
where reversal.at <= night.as_of
order by reversal.environment, reversal.thing_key, reversal.at, reversal.transaction_id
