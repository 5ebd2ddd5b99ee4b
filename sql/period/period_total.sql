-- Returns the totals of a closing by currency and source of amounts: its own, and the adjustments of earlier periods.
--
-- Takes  tieout.closing: the id of the closing
select
    case when cause = '' then 'own' else 'prior_period' end as entry,
    currency,
    price_source,
    coalesce(sum(units) filter (where kind = 'sold'), 0) as units_sold,
    sum(amount) filter (where kind = 'sold') as gross,
    coalesce(sum(units) filter (where kind = 'refunded'), 0) as units_refunded,
    sum(amount) filter (where kind = 'refunded') as refunds,
    sum(case kind when 'refunded' then -amount else amount end) as net
from period_amount
where closing_id = current_setting('tieout.closing')::integer
group by
    cause <> '',
    case when cause = '' then 'own' else 'prior_period' end,
    currency,
    price_source
order by
    cause <> '',
    currency,
    price_source
