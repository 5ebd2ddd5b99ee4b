-- Returns period.csv: the sales, refunds and adjustments of a closed period, by product, currency and source of
-- amounts.
--
-- What became known later about an earlier closed period is marked `prior_period`, with that period and the cause. If
-- its numbers are all zero, because changes cancel each other, the row is left out. The select list is the CSV header.
--
-- Takes  tieout.closing: the id of the closing
with

summed as (

    select
        amount.cause,
        origin.closing_id,
        origin.period,
        amount.product_id,
        amount.currency,
        amount.price_source,
        sum(amount.units) filter (where amount.kind = 'sold') as units_sold,
        sum(amount.amount) filter (where amount.kind = 'sold') as gross,
        sum(amount.units) filter (where amount.kind = 'refunded') as units_refunded,
        sum(amount.amount) filter (where amount.kind = 'refunded') as refunds,
        sum(amount.units) filter (where amount.kind = 'upgraded') as units_upgraded,
        -- Zero with the decimal places of the amounts, or of the currency if there are only upgrades, which give
        -- nothing back.
        coalesce(
            sum(amount.amount) * 0,
            case when amount.price_source <> 'none' then round(0, currency_digits(amount.currency)) end
        ) as zero
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

)

select
    case when cause = '' then 'own' else 'prior_period' end as entry,
    period,
    nullif(cause, '') as cause,
    csv_text(product_id) as product_id,
    csv_text(currency) as currency,
    price_source,
    coalesce(units_sold, 0) as units_sold,
    coalesce(gross, zero) as gross,
    coalesce(units_refunded, 0) as units_refunded,
    coalesce(refunds, zero) as refunds,
    coalesce(gross, zero) - coalesce(refunds, zero) as net,
    coalesce(units_upgraded, 0) as units_upgraded
from summed
where cause = '' or 0 <> any(array[units_sold, gross, units_refunded, refunds, units_upgraded])
order by
    cause <> '',
    closing_id,
    summed.cause,
    summed.product_id,
    summed.currency,
    price_source
