-- Returns the sums of revenue by month, product, currency and source of the amounts, for the whole history.
--
-- The sums are those of carried_revenue.sql for a month: with the number of decimal places of their amounts, and with
-- the empty text for an unknown currency.
with

-- Most rows are sales that nobody gave back, so these are summed on their own.
sold as (

    select
        date_trunc('month', sold_on::timestamp)::date as month,
        product_id,
        coalesce(currency, '') as currency,
        price_source,
        coalesce(scale(amount), 0) as amount_scale,
        count(*) as entries,
        sum(quantity) as units,
        sum(amount) as amount
    from sale
    group by
        date_trunc('month', sold_on::timestamp)::date,
        product_id,
        coalesce(currency, ''),
        price_source,
        coalesce(scale(amount), 0)

),

entry as (

    select
        month,
        product_id,
        currency,
        price_source,
        amount_scale,
        amount_scale as refund_scale,
        entries,
        units as sold,
        amount as gross,
        0 as refunded,
        amount * 0 as refunds,
        0 as upgraded
    from sold
    union all
    select
        date_trunc('month', refunded_on::timestamp)::date as month,
        product_id,
        coalesce(currency, '') as currency,
        price_source,
        coalesce(scale(amount), 0) as amount_scale,
        -- An upgrade gives nothing back, so a part that evidence states has no decimal places here.
        coalesce(scale(case when is_upgrade then amount else refund end), 0) as refund_scale,
        1 as entries,
        0 as sold,
        amount * 0 as gross,
        case when is_upgrade then 0 else quantity end as refunded,
        case when is_upgrade then amount * 0 else refund end as refunds,
        case when is_upgrade then quantity else 0 end as upgraded
    from sale
    where refunded_on is not null

)

select
    month,
    product_id,
    currency,
    price_source,
    amount_scale,
    refund_scale,
    sum(entries)::bigint as entries,
    sum(sold)::bigint as units_sold,
    sum(gross) as gross,
    sum(refunded)::bigint as units_refunded,
    sum(refunds) as refunds,
    sum(gross - refunds) as net,
    sum(upgraded)::bigint as units_upgraded
from entry
group by month, product_id, currency, price_source, amount_scale, refund_scale
