-- Returns period.csv: the sales, refunds and adjustments of a closed period, by product, currency and source of
-- amounts.
--
-- What became known later about an earlier closed period is marked `prior_period`, with that period and the cause. The
-- select list is the CSV header.
--
-- Takes  tieout.closing: the id of the closing
select
    case when amount.cause = '' then 'own' else 'prior_period' end as entry,
    origin.period,
    nullif(amount.cause, '') as cause,
    csv_text(amount.product_id) as product_id,
    csv_text(amount.currency) as currency,
    amount.price_source,
    coalesce(sum(amount.units) filter (where amount.kind = 'sold'), 0) as units_sold,
    -- Zero, with the decimal places of the other amounts, if nothing was sold and an amount is known.
    coalesce(sum(amount.amount) filter (where amount.kind = 'sold'), sum(amount.amount) * 0) as gross,
    coalesce(sum(amount.units) filter (where amount.kind = 'refunded'), 0) as units_refunded,
    coalesce(sum(amount.amount) filter (where amount.kind = 'refunded'), sum(amount.amount) * 0) as refunds,
    sum(case amount.kind when 'refunded' then -amount.amount else amount.amount end) as net,
    coalesce(sum(amount.units) filter (where amount.kind = 'upgraded'), 0) as units_upgraded
from period_amount as amount
inner join period_closing as origin on amount.origin_closing_id = origin.closing_id
where amount.closing_id = current_setting('tieout.closing')::integer
group by
    amount.cause,
    origin.closing_id,
    origin.period,
    amount.product_id,
    amount.currency,
    amount.price_source
order by
    amount.cause <> '',
    origin.closing_id,
    amount.cause,
    amount.product_id,
    amount.currency,
    amount.price_source
