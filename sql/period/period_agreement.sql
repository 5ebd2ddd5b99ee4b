-- Checks that the months of a closing's days add up: the sales, refunds and upgrades that the closing freezes are those
-- of which months.csv has the sums.
--
-- `balanced` fails if a sum does not agree. Then one of the two is wrong, and `tieout recompute` corrects it.
--
-- Takes  tieout.closing: the id of the closing
with

bounds as (

    select
        date_trunc('month', first_day::timestamp)::date as first_day,
        (date_trunc('month', last_day::timestamp) + interval '1 month')::date as end_day
    from period_closing
    where closing_id = current_setting('tieout.closing')::integer

),

line as (

    select
        false as is_of_month,
        date_trunc('month', entry.day::timestamp)::date as month,
        recorded_product.product_id,
        entry.currency,
        price_source_name(entry.price_source_code) as price_source,
        entry_kind_name(entry.kind_code) as kind,
        entry.units,
        entry.amount
    from bounds
    inner join carried_entry as entry on entry.day >= bounds.first_day and entry.day < bounds.end_day
    inner join recorded_product on entry.product_number = recorded_product.product_number
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
    from bounds
    inner join carried_month as sold on sold.month >= bounds.first_day and sold.month < bounds.end_day
    cross join lateral (
        values
        ('sold', sold.units_sold, sold.gross),
        ('refunded', sold.units_refunded, sold.refunds),
        ('upgraded', sold.units_upgraded, null)
    ) as part (kind, units, amount)

)

select
    balanced(
        coalesce(sum(units) filter (where is_of_month), 0),
        coalesce(sum(units) filter (where not is_of_month), 0),
        'The carried number of ' || kind || ' units of ' || product_id || ' in ' || to_char(month, 'YYYY-MM')
    ),
    balanced(
        coalesce(sum(amount) filter (where is_of_month), 0),
        coalesce(sum(amount) filter (where not is_of_month), 0),
        'The carried amount of ' || kind || ' units of ' || product_id || ' in ' || to_char(month, 'YYYY-MM')
    )
from line
group by month, product_id, currency, price_source, kind
