-- Checks the months that tonight changed: what was published, and every change since then, add up to what is known now.
--
-- `balanced` fails if a sum does not agree.
with

moved as (

    select distinct date_trunc('month', restated_entry.day::timestamp)::date as month
    from restated_entry
    inner join night on restated_entry.run_id = night.run_id

),

published as (

    select
        standing_month.month,
        max(standing_month.run_id) as run_id
    from standing_month
    inner join moved on standing_month.month = moved.month
    group by standing_month.month

),

line as (

    select
        false as is_now,
        published_sum.month,
        published_sum.product_id,
        published_sum.currency,
        published_sum.price_source,
        published_sum.kind,
        published_sum.units,
        published_sum.amount
    from published
    inner join published_sum
        on published.month = published_sum.month and published.run_id = published_sum.run_id
    union all
    select
        false,
        published.month,
        restated_entry.product_id,
        restated_entry.currency,
        restated_entry.price_source,
        restated_entry.kind,
        restated_entry.units,
        restated_entry.amount
    from published
    inner join restated_entry
        on restated_entry.day >= published.month
        and restated_entry.day < (published.month + interval '1 month')::date
        and restated_entry.run_id > published.run_id
    union all
    select
        true,
        sold.month,
        sold.product_id,
        sold.currency,
        sold.price_source,
        part.kind,
        part.units,
        part.amount
    from published
    inner join carried_month as sold on published.month = sold.month
    cross join lateral (
        values
        ('sold', sold.units_sold, sold.gross),
        ('refunded', sold.units_refunded, sold.refunds),
        ('upgraded', sold.units_upgraded, null)
    ) as part (kind, units, amount)
    union all
    select
        true,
        published.month,
        missing.product_id,
        coalesce(missing.currency, ''),
        missing.price_source,
        'missing',
        missing.quantity,
        missing.amount
    from carried_missing_delivery as missing
    cross join night
    inner join published
        on date_trunc('month', missing.purchased_at at time zone night.time_zone)::date = published.month
    where missing.reason <> 'no_records'

)

select
    balanced(
        coalesce(sum(units) filter (where is_now), 0),
        coalesce(sum(units) filter (where not is_now), 0),
        'The restated number of ' || kind || ' units of ' || product_id || ' in ' || to_char(month, 'YYYY-MM')
    ),
    balanced(
        coalesce(sum(amount) filter (where is_now), 0),
        coalesce(sum(amount) filter (where not is_now), 0),
        'The restated amount of ' || kind || ' units of ' || product_id || ' in ' || to_char(month, 'YYYY-MM')
    )
from line
group by month, product_id, currency, price_source, kind
