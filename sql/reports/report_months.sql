-- Returns months.csv: sales and refunds by month, currency and source of the amounts, and what of it is missing, from
-- the month of the first sale to that of as-of.
--
-- The amounts of one row are in one currency and have one source, as in revenue.csv. Missing deliveries that are
-- uncertain (`no_records`) are not counted. A month without any sale has one row without amounts. The select list is
-- the CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     with totals
-- Rule      none
-- Identity  month, currency, price_source
-- As-of     none
with

sold as (

    select
        month,
        currency,
        price_source,
        sum(units_sold) as units_sold,
        sum(gross) as gross,
        sum(units_refunded) as units_refunded,
        sum(refunds) as refunds,
        sum(net) as net,
        sum(units_upgraded) as units_upgraded
    from carried_month
    group by month, currency, price_source

),

missing as (

    select
        date_trunc('month', missing.purchased_at at time zone night.time_zone)::date as month,
        coalesce(missing.currency, '') as currency,
        missing.price_source,
        sum(missing.quantity) as units_missing,
        sum(missing.amount) as gross_missing
    from carried_missing_delivery as missing
    cross join night
    where missing.reason <> 'no_records'
    group by 1, 2, 3

),

month_amount as (

    select
        month,
        currency,
        price_source,
        coalesce(sold.units_sold, 0) as units_sold,
        sold.gross,
        coalesce(sold.units_refunded, 0) as units_refunded,
        sold.refunds,
        sold.net,
        coalesce(sold.units_upgraded, 0) as units_upgraded,
        coalesce(missing.units_missing, 0) as units_missing,
        -- With the decimal places of the other amounts.
        coalesce(missing.gross_missing, 0) + sold.gross * 0 as gross_missing
    from sold
    full join missing using (month, currency, price_source)
    union all
    select
        quiet.month::date,
        '',
        'none',
        0,
        null,
        0,
        null,
        null,
        0,
        0,
        null
    from night
    cross join generate_series(
        (select min(sold.month) from sold where sold.units_sold > 0)::timestamp,
        night.as_of_on::timestamp,
        interval '1 month'
    ) as quiet (month)
    where
        not exists (select from sold where sold.month = quiet.month::date)
        and not exists (select from missing where missing.month = quiet.month::date)

)

select
    to_char(month_amount.month, 'YYYY-MM') as month,
    csv_text(month_amount.currency) as currency,
    month_amount.price_source,
    month_amount.units_sold,
    month_amount.gross,
    month_amount.units_refunded,
    month_amount.refunds,
    month_amount.net,
    month_amount.units_upgraded,
    month_amount.units_missing,
    month_amount.gross_missing
from month_amount
order by
    month_amount.month,
    month_amount.currency,
    month_amount.price_source
