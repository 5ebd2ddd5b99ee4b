-- Returns the totals of a closing by currency and source of amounts: its own, and the adjustments of earlier periods
-- that are not zero.
--
-- Takes  tieout.closing: the id of the closing
with

summed as (

    select
        cause <> '' as is_prior,
        currency,
        price_source,
        sum(units) filter (where kind = 'sold') as units_sold,
        sum(amount) filter (where kind = 'sold') as gross,
        sum(units) filter (where kind = 'refunded') as units_refunded,
        sum(amount) filter (where kind = 'refunded') as refunds,
        -- As in period_statement.sql.
        coalesce(sum(amount) * 0, case when price_source <> 'none' then round(0, currency_digits(currency)) end)
            as zero
    from period_amount
    where closing_id = current_setting('tieout.closing')::integer
    group by
        cause <> '',
        currency,
        price_source

)

select
    case when is_prior then 'prior_period' else 'own' end as entry,
    currency,
    price_source,
    coalesce(units_sold, 0) as units_sold,
    coalesce(gross, zero) as gross,
    coalesce(units_refunded, 0) as units_refunded,
    coalesce(refunds, zero) as refunds,
    coalesce(gross, zero) - coalesce(refunds, zero) as net
from summed
where not is_prior or 0 <> any(array[units_sold, gross, units_refunded, refunds])
order by
    is_prior,
    currency,
    price_source
