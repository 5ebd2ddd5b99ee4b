-- Checks that each amount of the closed periods is in exactly one of them: the own amounts of a period and the
-- adjustments of later ones add up to what is known now about its days.
--
-- `balanced` fails if a sum does not agree.
with

standing as (

    select closing_id, period, first_day, last_day
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
    balanced(
        coalesce(sum(units) filter (where is_now), 0),
        coalesce(sum(units) filter (where not is_now), 0),
        'The number of ' || kind || ' units of ' || product_id || ' in the closed period ' || period
    ),
    balanced(
        coalesce(sum(amount) filter (where is_now), 0),
        coalesce(sum(amount) filter (where not is_now), 0),
        'The amount of ' || kind || ' units of ' || product_id || ' in the closed period ' || period
    )
from line
group by period, product_id, currency, price_source, kind
