-- Returns the totals of a closing by currency and source of amounts: its own, and the adjustments of earlier periods.
--
-- It adds up the rows of period.csv (period_statement.sql), which leaves out adjustments whose numbers are all zero. So
-- the adjustments of products that cancel each other are a total of zero.
--
-- Takes  tieout.closing: the id of the closing
with

line as (

    select
        cause <> '' as is_prior,
        currency,
        price_source,
        sum(units) filter (where kind = 'sold') as units_sold,
        sum(amount) filter (where kind = 'sold') as gross,
        sum(units) filter (where kind = 'refunded') as units_refunded,
        sum(amount) filter (where kind = 'refunded') as refunds,
        sum(units) filter (where kind = 'upgraded') as units_upgraded,
        -- As in period_statement.sql.
        coalesce(sum(amount) * 0, case when price_source <> 'none' then round(0, currency_digits(currency)) end)
            as zero
    from period_amount
    where closing_id = current_setting('tieout.closing')::integer
    group by
        cause,
        origin_closing_id,
        product_id,
        currency,
        price_source

)

select
    case when is_prior then 'prior_period' else 'own' end as entry,
    currency,
    price_source,
    coalesce(sum(units_sold), 0) as units_sold,
    coalesce(sum(gross), sum(zero)) as gross,
    coalesce(sum(units_refunded), 0) as units_refunded,
    coalesce(sum(refunds), sum(zero)) as refunds,
    coalesce(sum(gross), sum(zero)) - coalesce(sum(refunds), sum(zero)) as net,
    coalesce(sum(units_upgraded), 0) as units_upgraded
from line
where not is_prior or 0 <> any(array[units_sold, gross, units_refunded, refunds, units_upgraded])
group by
    is_prior,
    currency,
    price_source
order by
    is_prior,
    currency,
    price_source
