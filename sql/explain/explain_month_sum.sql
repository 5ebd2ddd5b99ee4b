-- Returns what is known now about a month, or one product or one product and currency of it: the units and amounts by
-- currency and source, and how many deliveries of its purchases are missing or uncertain.
--
-- Takes  tieout.explained_name: `2026-10`, `2026-10 PRODUCT` or `2026-10 PRODUCT CURRENCY`
-- Gives  the columns of explain_group.sql; section: known
with

asked as (

    select
        to_date(left(named.name, 7), 'YYYY-MM') as month,
        nullif(substring(named.name from 9), '') as rest
    from (select current_setting('tieout.explained_name') collate "C" as name) as named

),

sold as (

    select
        carried_month.currency,
        carried_month.price_source,
        sum(carried_month.units_sold) as units_sold,
        sum(carried_month.gross) as gross,
        sum(carried_month.units_refunded) as units_refunded,
        sum(carried_month.refunds) as refunds,
        sum(carried_month.net) as net
    from asked
    inner join carried_month on asked.month = carried_month.month
    where
        asked.rest is null
        or asked.rest in (carried_month.product_id, carried_month.product_id || ' ' || carried_month.currency)
    group by carried_month.currency, carried_month.price_source

),

missing as (

    select
        count(*) filter (where one.reason <> 'no_records') as deliveries,
        count(*) filter (where one.reason = 'no_records') as uncertain
    from asked
    cross join night
    inner join carried_missing_delivery as one
        on date_trunc('month', one.purchased_at at time zone night.time_zone)::date = asked.month
    where asked.rest is null or asked.rest in (one.product_id, one.product_id || ' ' || one.currency)

),

fact as (

    select
        row_number() over (order by currency, price_source) as place,
        case price_source
            when 'none' then 'no amount'
            else concat(currency, case price_source when 'catalogue' then ' (list price)' end)
        end as name,
        concat(
            unit_words(units_sold),
            ' sold',
            ', gross ' || csv_amount(gross, currency),
            case
                when units_refunded <> 0
                    then '; ' || unit_words(units_refunded) || ' refunded' || coalesce(
                        ', refunds ' || csv_amount(refunds, currency) || ', net ' || csv_amount(net, currency), ''
                    )
            end
        ) as words,
        null::bigint as missing
    from sold
    union all
    select
        0,
        case
            when exists (select from sold) then 'deliveries of its purchases'
            else 'no sale and no refund is known'
        end,
        case when uncertain > 0 and exists (select from sold) then uncertain || ' uncertain' end,
        case when exists (select from sold) then deliveries end
    from missing

)

select
    2 as section_place,
    'known' as section,
    null as property,
    place,
    100 as length,
    name,
    words,
    missing,
    null::bigint as delivered,
    null::timestamptz as at,
    null as file,
    null::bigint as line
from fact
