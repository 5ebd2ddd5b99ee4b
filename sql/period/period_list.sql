-- Returns each closed period with its state (schema_period.sql), what has changed since it was approved or prepared,
-- and who reopened it and why.
with

moved as (

    select
        period_closing.closing_id,
        change.units,
        change.amounts
    from period_closing
    inner join period_state on period_closing.closing_id = period_state.closing_id
    cross join lateral changed_numbers(
        period_closing.first_day, period_closing.last_day, period_state.run_id, null
    ) as later (changes)
    cross join lateral change_words(later.changes) as change
    where period_closing.reopened_at is null

)

select
    period_closing.period,
    period_closing.closing,
    period_closing.first_day,
    period_closing.last_day,
    period_state.state,
    period_closing.prepared_by,
    csv_instant(period_closing.prepared_at) as prepared_at,
    period_state.approved_by,
    csv_instant(period_state.approved_at) as approved_at,
    case when period_state.is_single_signer then 'yes' end as single_signer,
    moved.units as units_moved,
    moved.amounts as amount_moved,
    period_closing.reopened_by,
    csv_instant(period_closing.reopened_at) as reopened_at,
    period_closing.reopened_because
from period_closing
inner join period_state on period_closing.closing_id = period_state.closing_id
left join moved on period_closing.closing_id = moved.closing_id
order by period_closing.first_day, period_closing.closing_id
