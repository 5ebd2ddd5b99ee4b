-- Returns each closed period with its state (schema_period.sql), what has changed since it was approved or prepared,
-- and who reopened it and why.
with

moved as (

    select
        period_closing.closing_id,
        entry.currency,
        sum(entry.units) as units,
        sum(entry.net) as amount,
        bool_or(entry.price_source = 'catalogue') as has_list_prices,
        bool_and(entry.price_source = 'catalogue') as has_only_list_prices
    from period_closing
    inner join period_state on period_closing.closing_id = period_state.closing_id
    inner join restated_net as entry
        on entry.day between period_closing.first_day and period_closing.last_day
        and entry.run_id > period_state.run_id
    where period_closing.reopened_at is null
    group by period_closing.closing_id, entry.currency

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
    (
        select sum(moved.units)
        from moved
        where moved.closing_id = period_closing.closing_id
    ) as units_moved,
    (
        select
            string_agg(
                amount_words(moved.currency, moved.amount, moved.has_list_prices, moved.has_only_list_prices),
                ', ' order by moved.currency
            )
        from moved
        where moved.closing_id = period_closing.closing_id and moved.amount <> 0
    ) as amount_moved,
    period_closing.reopened_by,
    csv_instant(period_closing.reopened_at) as reopened_at,
    period_closing.reopened_because
from period_closing
inner join period_state on period_closing.closing_id = period_state.closing_id
order by period_closing.first_day, period_closing.closing_id
