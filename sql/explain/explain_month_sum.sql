-- Returns what is known now about a month or a closed period, or one product or one product and currency of it: the
-- units and amounts by currency and source, and how many deliveries of its purchases are missing or uncertain.
--
-- Takes  explained_days (explain_explained_days.sql)
-- Gives  the columns of explain_group.sql; section: known
with

-- A period has the amounts of its pack, and what has changed them since then.
booked as (

    select
        closing.closing_id,
        amount.product_id,
        amount.currency,
        amount.price_source,
        amount.kind,
        amount.units,
        amount.amount
    from explained_days as closing
    inner join period_amount as amount
        on closing.closing_id = amount.closing_id and closing.closing_id = amount.origin_closing_id
    union all
    select
        closing.closing_id,
        entry.product_id,
        entry.currency,
        entry.price_source,
        entry.kind,
        entry.units,
        entry.amount
    from explained_days as closing
    inner join restated_entry as entry
        on closing.run_id < entry.run_id
        and entry.day >= closing.first_day
        and entry.day < closing.next_day
    where closing.closing_id is not null

),

summed as (

    select
        carried_month.product_id,
        carried_month.currency,
        carried_month.price_source,
        carried_month.units_sold,
        carried_month.gross,
        carried_month.units_refunded,
        carried_month.refunds,
        carried_month.net,
        carried_month.units_upgraded
    from explained_days
    inner join carried_month on explained_days.first_day = carried_month.month
    where explained_days.closing_id is null
    union all
    select
        product_id,
        currency,
        price_source,
        case kind when 'sold' then units else 0 end,
        case kind when 'sold' then amount else amount * 0 end,
        case kind when 'refunded' then units else 0 end,
        case kind when 'refunded' then amount else amount * 0 end,
        case kind when 'sold' then amount when 'refunded' then -amount else amount * 0 end,
        case kind when 'upgraded' then units else 0 end
    from booked
    where kind in ('sold', 'refunded', 'upgraded')

),

sold as (

    select
        summed.currency,
        summed.price_source,
        sum(summed.units_sold) as units_sold,
        sum(summed.gross) as gross,
        sum(summed.units_refunded) as units_refunded,
        sum(summed.refunds) as refunds,
        sum(summed.net) as net,
        sum(summed.units_upgraded) as units_upgraded
    from explained_days
    inner join summed
        on explained_days.rest is null
        or explained_days.rest in (summed.product_id, summed.product_id || ' ' || summed.currency)
    group by explained_days.closing_id, summed.currency, summed.price_source
    having
        explained_days.closing_id is null
        -- Changes of a period can cancel what its pack has.
        or 0 <> any(
            array[
                sum(summed.units_sold), sum(summed.gross), sum(summed.units_refunded), sum(summed.refunds),
                sum(summed.units_upgraded)
            ]
        )

),

missing as (

    select
        count(*) filter (where one.reason <> 'no_records') as deliveries,
        count(*) filter (where one.reason = 'no_records') as uncertain
    from explained_days as asked
    cross join night
    inner join carried_missing_delivery as one
        on (one.purchased_at at time zone night.time_zone)::date >= asked.first_day
        and (one.purchased_at at time zone night.time_zone)::date < asked.next_day
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
            end,
            case when units_upgraded <> 0 then '; ' || unit_words(units_upgraded) || ' upgraded' end
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
