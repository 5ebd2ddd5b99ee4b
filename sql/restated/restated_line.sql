-- Returns the parts of two sums for each number of the compared months: what was published with every change since
-- then, and what is known now. For each edition, the two sums must be equal.
--
-- Takes  compared_month: month, run_id: the editions of months that are compared; the carried relations as the night
--        leaves them
-- Gives  is_now: whether it is what is known now; run_id: the edition
select
    false as is_now,
    published_sum.month,
    published.run_id,
    published_sum.product_id,
    published_sum.currency,
    published_sum.price_source,
    published_sum.kind,
    published_sum.units,
    published_sum.amount
from compared_month as published
inner join published_sum
    on published.month = published_sum.month and published.run_id = published_sum.run_id
union all
select
    false,
    published.month,
    published.run_id,
    change.product_id,
    change.currency,
    change.price_source,
    change.kind,
    change.units,
    change.amount
from compared_month as published
inner join month_change as change
    on change.day >= published.month
    and change.day < (published.month + interval '1 month')::date
    and change.run_id > published.run_id
    and coalesce(change.corrected_run_id, published.run_id) = published.run_id
union all
select
    true,
    sold.month,
    published.run_id,
    sold.product_id,
    sold.currency,
    sold.price_source,
    part.kind,
    part.units,
    part.amount
from compared_month as published
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
    published.run_id,
    missing.product_id,
    coalesce(missing.currency, ''),
    missing.price_source,
    'missing',
    missing.quantity,
    missing.amount
from carried_missing_delivery as missing
cross join night
inner join compared_month as published
    on date_trunc('month', missing.purchased_at at time zone night.time_zone)::date = published.month
where missing.reason <> 'no_records'
