-- Returns revenue by day and currency for the days that the page shows (page_days), as in revenue.csv.
--
-- It returns the six currencies with the most entries. Amounts of different currencies are never added. The list
-- prices are the parts of gross and of refunds that come from the catalogue, an estimate.
with

part as (

    select
        revenue.currency,
        revenue.day,
        sum(revenue.entries) as entries,
        sum(revenue.gross) as gross,
        sum(revenue.refunds) as refunds,
        sum(revenue.net) as net,
        sum(revenue.gross) filter (where revenue.price_source = 'catalogue') as list_price,
        sum(revenue.refunds) filter (where revenue.price_source = 'catalogue') as list_refunds
    from carried_revenue as revenue
    cross join night
    where
        revenue.day >= night.revenue_since
        and revenue.day > night.as_of_on - page_days()
        and revenue.day <= night.as_of_on
        and revenue.currency <> ''
    group by revenue.currency, revenue.day

),

total as (

    select
        currency,
        sum(gross) as gross,
        sum(refunds) as refunds,
        sum(net) as net,
        sum(list_price) as list_price,
        sum(list_refunds) as list_refunds,
        row_number() over (order by sum(entries) desc, currency) as place,
        count(*) over () as currencies
    from part
    group by currency

)

select
    total.currency,
    part.day,
    part.gross,
    part.refunds,
    part.net,
    part.list_price,
    part.list_refunds,
    total.gross as all_gross,
    total.refunds as all_refunds,
    total.net as all_net,
    total.list_price as all_list_price,
    total.list_refunds as all_list_refunds,
    total.currencies
from total
inner join part on total.currency = part.currency
where total.place <= 6
order by total.place, part.day
