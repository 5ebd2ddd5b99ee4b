-- Returns one finding for each closed period that has changed by `materiality` or more since it was approved.
--
-- Finds      closed and approved periods whose numbers have changed by `materiality` or more since the night that was
--            approved. All units of a period count together, and all amounts of a currency: what has risen, or what has
--            fallen if that is more. A refund counts as a fall, an upgrade as a rise of the units.
-- Leaves out periods that were reopened, and changes up to the night of the newest approval.
--
-- Levels     error
-- Judges     the night
-- Exception  none
-- Reads      night, period_approval, period_closing, run
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
        later.changes
    from approval
    cross join newest
    inner join period_closing as closing
        on approval.closing_id = closing.closing_id and closing.reopened_at is null
    cross join lateral changed_numbers(
        closing.first_day, closing.last_day, approval.run_id, newest.run_id
    ) as later (changes)

),

measured as (

    select
        moved.period,
        number.measure,
        case change.kind when 'refunded' then -number.value else number.value end as value
    from moved
    cross join lateral unnest(moved.changes) as change
    cross join lateral (
        values ('units', change.units), (change.currency, change.amount)
    ) as number (measure, value)

),

-- What has risen does not cancel what has fallen; the larger sum counts. It is null if all values are zero.
sized as (

    select
        period,
        measure,
        greatest(sum(value) filter (where value > 0), -sum(value) filter (where value < 0)) as size
    from measured
    group by period, measure

),

material as (

    select distinct sized.period
    from sized
    cross join night
    where
        sized.size
        >= coalesce((night.materiality ->> sized.measure)::numeric, case sized.measure when 'units' then 1 else 0 end)

)

select
    'error' as level,
    '' as environment,
    moved.period,
    null::text as reason,
    'since it was approved: ' || change.words as detail
from moved
inner join material on moved.period = material.period
cross join lateral change_words(moved.changes) as change
