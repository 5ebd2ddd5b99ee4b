-- Returns one row for each refund of a transaction of an explained purchase that Apple has reversed (judge_refund.sql),
-- in words.
--
-- It has the place of the first transaction that Apple signed without the refund, and neither before the refund nor
-- before the youngest evidence with it. If that transaction repeats earlier evidence, the row has the file of the
-- youngest repetition, and no line.
--
-- Takes  thing.
-- Gives  the columns of explain_timeline.sql
with

piece as (

    select
        thing.thing_key,
        member.reversed_refunds,
        evidence.*,
        coalesce(evidence.last_evidence_at, evidence.evidence_at) as newest_at
    from thing
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    cross join night
    inner join evidence
        on member.environment = evidence.environment and member.transaction_number = evidence.transaction_number
    where member.reversed_refunds is not null and (night.trust <> 'signed' or evidence.trust = 'signed')

),

known_refund as (

    select
        environment,
        thing_key,
        transaction_id,
        cancelled_at,
        greatest(max(newest_at), cancelled_at) as counts_until
    from piece
    where cancelled_at = any(reversed_refunds)
    group by environment, thing_key, transaction_id, cancelled_at

),

reversal as (

    select distinct on (
        known_refund.environment, known_refund.thing_key, known_refund.transaction_id, known_refund.cancelled_at
    )
        known_refund.environment,
        known_refund.thing_key,
        known_refund.transaction_id,
        known_refund.cancelled_at,
        signed.at,
        case when signed.is_first then piece.file_id else coalesce(piece.last_file_id, piece.file_id) end as file_id,
        case when signed.is_first then piece.line end as line,
        case when signed.is_first then piece.pointer end as pointer
    from known_refund
    inner join piece
        on known_refund.environment = piece.environment
        and known_refund.thing_key = piece.thing_key
        and known_refund.transaction_id = piece.transaction_id
    cross join night
    cross join lateral (
        select
            piece.evidence_at >= known_refund.counts_until as is_first,
            case
                when piece.evidence_at >= known_refund.counts_until then piece.evidence_at
                else piece.newest_at
            end as at
    ) as signed
    where
        shows_no_refund(piece.is_signed_transaction, piece.cancelled_at, piece.is_upgraded)
        and signed.at >= known_refund.counts_until
        and signed.at <= night.as_of
    order by
        known_refund.environment,
        known_refund.thing_key,
        known_refund.transaction_id,
        known_refund.cancelled_at,
        signed.at,
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
left join input_file using (file_id)
order by reversal.environment, reversal.thing_key, reversal.at, reversal.transaction_id, reversal.cancelled_at
