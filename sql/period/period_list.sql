-- Returns each closed period with its state and what has changed since it was approved, or prepared.
--
-- `state` is prepared, certified, withdrawn (its certificate, because of a finding certificate_withdrawn) or reopened.
with

approval as (

    select distinct on (closing_id) *
    from period_approval
    order by closing_id, approval_id desc

),

moved as (

    select
        period_closing.closing_id,
        entry.currency,
        coalesce(sum(entry.units) filter (where entry.kind = 'sold'), 0)
        - coalesce(sum(entry.units) filter (where entry.kind = 'refunded'), 0) as units,
        sum(case entry.kind when 'refunded' then -entry.amount else entry.amount end) as amount
    from period_closing
    left join approval on period_closing.closing_id = approval.closing_id
    inner join restated_entry as entry
        on entry.day between period_closing.first_day and period_closing.last_day
        and entry.run_id > coalesce(approval.run_id, period_closing.run_id)
    where entry.kind in ('sold', 'refunded') and period_closing.reopened_at is null
    group by period_closing.closing_id, entry.currency

)

select
    period_closing.period,
    period_closing.edition as closing,
    period_closing.first_day,
    period_closing.last_day,
    case
        when period_closing.reopened_at is not null then 'reopened'
        when approval.approval_id is null then 'prepared'
        when exists (
            select
            from finding
            where
                finding.rule = 'certificate_withdrawn'
                and finding.status <> 'resolved'
                and finding.subject = period_closing.period
        ) then 'withdrawn'
        else 'certified'
    end as state,
    period_closing.prepared_by,
    csv_instant(period_closing.prepared_at) as prepared_at,
    approval.approved_by,
    csv_instant(approval.approved_at) as approved_at,
    approval.is_single_signer,
    (
        select sum(moved.units)
        from moved
        where moved.closing_id = period_closing.closing_id
    ) as units_moved,
    (
        select string_agg(moved.currency || ' ' || moved.amount, ', ' order by moved.currency)
        from moved
        where moved.closing_id = period_closing.closing_id and moved.amount <> 0
    ) as amount_moved
from period_closing
left join approval on period_closing.closing_id = approval.closing_id
order by period_closing.first_day, period_closing.closing_id
