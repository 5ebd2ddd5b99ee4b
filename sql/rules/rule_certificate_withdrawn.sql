-- Returns one finding for each closed period that has changed by `materiality` or more since it was approved.
--
-- Finds      closed and approved periods of which the units (sold less refunded), or the net amounts of a currency,
--            have changed by `materiality` or more since the night that was approved.
-- Leaves out periods that were reopened, and changes up to the night of the newest approval.
--
-- Levels     error
-- Judges     the night
-- Exception  none
-- Reads      night, period_approval, period_closing, restated_net, run
-- Gives      level, environment, reason, detail
-- Key        period
-- Resolved   none
-- Sentence   none
-- Otherwise  it is about closed periods, not about single purchases
with

-- A past day shows what its own night knew.
newest as materialized (

    select max(run.run_id) as run_id
    from run
    cross join night
    where
        run.as_of <= night.as_of
        and run.run_id <= night.run_id
        and not run.is_of_past_day
        and run.outcome in ('done', 'running')

),

approval as (

    select distinct on (period_approval.closing_id)
        period_approval.closing_id,
        period_approval.run_id
    from period_approval
    inner join newest on period_approval.run_id <= newest.run_id
    order by period_approval.closing_id, period_approval.approval_id desc

),

moved as (

    select
        closing.period,
        entry.currency,
        sum(entry.units) as units,
        coalesce(sum(entry.net), 0) as amount,
        bool_or(entry.price_source = 'catalogue') as has_list_prices,
        bool_and(entry.price_source = 'catalogue') as has_only_list_prices
    from approval
    cross join newest
    inner join period_closing as closing
        on approval.closing_id = closing.closing_id and closing.reopened_at is null
    inner join restated_net as entry
        on entry.day between closing.first_day and closing.last_day
        and entry.run_id > approval.run_id
        and entry.run_id <= newest.run_id
    group by closing.period, entry.currency

)

select
    'error' as level,
    '' as environment,
    moved.period,
    null::text as reason,
    format(
        'since it was approved: %s%s',
        unit_words(sum(moved.units)),
        coalesce(
            ', ' || string_agg(
                amount_words(moved.currency, moved.amount, moved.has_list_prices, moved.has_only_list_prices),
                ', ' order by moved.currency
            )
            filter (where moved.amount <> 0),
            ''
        )
    ) as detail
from moved
cross join night
group by moved.period, night.materiality
having
    abs(sum(moved.units)) >= coalesce((night.materiality ->> 'units')::numeric, 1)
    and sum(moved.units) <> 0
    or bool_or(
        moved.amount <> 0 and abs(moved.amount) >= coalesce((night.materiality ->> moved.currency)::numeric, 0)
    )
