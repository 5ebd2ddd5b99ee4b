-- Creates the view of the sums of closed periods that do not add up: what is known now about the days of a period
-- differs from what its closing has, together with the adjustments of later closings and the changes since the newest
-- one. Such a period was closed with wrong numbers.
create view period_difference as
with

standing as (

    select
        closing_id,
        period,
        first_day,
        last_day,
        run_id
    from period_closing
    where reopened_at is null

),

line as (

    select
        false as is_now,
        origin.period,
        amount.product_id,
        amount.currency,
        amount.price_source,
        amount.kind,
        amount.units,
        amount.amount
    from period_amount as amount
    inner join standing on amount.closing_id = standing.closing_id
    inner join standing as origin on amount.origin_closing_id = origin.closing_id
    union all
    select
        false,
        standing.period,
        entry.product_id,
        entry.currency,
        entry.price_source,
        entry.kind,
        entry.units,
        entry.amount
    from standing
    inner join restated_entry as entry on entry.day between standing.first_day and standing.last_day
    where entry.kind <> 'missing' and entry.run_id > (select max(standing.run_id) from standing)
    union all
    select
        true,
        standing.period,
        recorded_product.product_id,
        entry.currency,
        price_source_name(entry.price_source_code),
        entry_kind_name(entry.kind_code),
        entry.units,
        entry.amount
    from standing
    inner join carried_entry as entry on entry.day between standing.first_day and standing.last_day
    inner join recorded_product on entry.product_number = recorded_product.product_number

)

select
    period,
    product_id,
    currency,
    price_source,
    kind,
    coalesce(sum(units) filter (where is_now), 0) as units_now,
    coalesce(sum(units) filter (where not is_now), 0) as units_closed,
    coalesce(sum(amount) filter (where is_now), 0) as amount_now,
    coalesce(sum(amount) filter (where not is_now), 0) as amount_closed
from line
group by period, product_id, currency, price_source, kind
having
    coalesce(sum(units) filter (where is_now), 0) <> coalesce(sum(units) filter (where not is_now), 0)
    or coalesce(sum(amount) filter (where is_now), 0) <> coalesce(sum(amount) filter (where not is_now), 0)
