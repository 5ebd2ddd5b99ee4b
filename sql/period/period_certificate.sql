-- Returns each approval as its certificate has it, in the order of the approvals.
--
-- Gives  the members of the certificate; difference: a JSON array with what has changed in the days of the period from
--        the night of the pack to the night that was approved, by currency and source of the amounts
with

moved as (

    select
        period_approval.approval_id,
        entry.currency,
        entry.price_source,
        sum(entry.units) as units,
        sum(entry.net) as net
    from period_approval
    inner join period_closing on period_approval.closing_id = period_closing.closing_id
    inner join restated_net as entry
        on entry.day between period_closing.first_day and period_closing.last_day
        and entry.run_id > period_closing.run_id
        and entry.run_id <= period_approval.run_id
    group by period_approval.approval_id, entry.currency, entry.price_source

),

difference as (

    select
        approval_id,
        string_agg(
            difference_element(currency, price_source, units, net), ',' order by currency, price_source
        ) as lines
    from moved
    where units <> 0 or net <> 0
    group by approval_id

)

select
    period_closing.period,
    period_closing.closing,
    row_number() over (
        partition by period_approval.closing_id
        order by period_approval.approval_id
    ) as number,
    period_closing.pack_sha256,
    period_closing.prepared_by,
    csv_instant(period_closing.prepared_at) as prepared_at,
    period_approval.approved_by,
    csv_instant(period_approval.approved_at) as approved_at,
    csv_instant(run.as_of) as approved_as_of,
    period_approval.is_single_signer as single_signer,
    '[' || coalesce(difference.lines, '') || ']' as difference
from period_approval
inner join period_closing on period_approval.closing_id = period_closing.closing_id
inner join run on period_approval.run_id = run.run_id
left join difference on period_approval.approval_id = difference.approval_id
order by period_approval.approval_id
