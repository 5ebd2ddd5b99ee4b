-- Returns each approval as its certificate has it, in the order of the approvals.
select
    period_closing.period,
    period_closing.edition as closing,
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
    period_approval.is_single_signer as single_signer
from period_approval
inner join period_closing on period_approval.closing_id = period_closing.closing_id
inner join run on period_approval.run_id = run.run_id
order by period_approval.approval_id
