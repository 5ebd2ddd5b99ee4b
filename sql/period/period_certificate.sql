-- Returns each approval as its certificate has it, in the order of the approvals.
--
-- Gives  the members of the certificate; difference: a JSON array (difference_json) with what has changed in the days
--        of the period from the night of the pack to the night that was approved; difference_words: the same in words,
--        null if nothing has changed
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
    difference_json(moved.changes) as difference,
    difference_words(moved.changes) as difference_words
from period_approval
inner join period_closing on period_approval.closing_id = period_closing.closing_id
inner join run on period_approval.run_id = run.run_id
cross join lateral changed_numbers(
    period_closing.first_day, period_closing.last_day, period_closing.run_id, period_approval.run_id
) as moved (changes)
order by period_approval.approval_id
