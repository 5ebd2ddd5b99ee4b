-- Returns one row for each refund of an explained purchase that Apple has reversed, in words.
--
-- A transaction that Apple signed later than all evidence with the refund does not contain it (judge_refund.sql). If
-- earlier evidence says the same, only its first file is known, so that the row has no file.
--
-- Takes  thing.
-- Gives  the columns of explain_timeline.sql
with

told as (

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

refund as (

    select
        environment,
        thing_key,
        transaction_id,
        max(cancelled_at) as cancelled_at,
        max(newest_at) as newest_at
    from told
    where cancelled_at is not null
    group by environment, thing_key, transaction_id

),

reversal as (

    select distinct on (told.environment, told.thing_key, told.transaction_id)
        told.environment,
        told.thing_key,
        told.transaction_id,
        refund.cancelled_at,
        case when told.evidence_at > refund.newest_at then told.evidence_at else told.newest_at end as at,
        case when told.evidence_at > refund.newest_at then told.file_id end as file_id,
        case when told.evidence_at > refund.newest_at then told.line end as line,
        case when told.evidence_at > refund.newest_at then told.pointer end as pointer
    from told
    inner join refund
        on told.environment = refund.environment
        and told.thing_key = refund.thing_key
        and told.transaction_id = refund.transaction_id
    where told.is_signed_transaction and told.cancelled_at is null and told.newest_at > refund.newest_at
    order by
        told.environment,
        told.thing_key,
        told.transaction_id,
        case when told.evidence_at > refund.newest_at then told.evidence_at else told.newest_at end,
        told.file_id,
        told.line,
        told.pointer

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
