-- Returns one row: the closing before this one of the same period, and by how much the amounts of the two packs differ.
-- No row if the period was never closed before.
--
-- Takes  tieout.closing: the id of the closing
-- Gives  closing (its number) and pack_sha256: its pack; who closed and reopened it, when and why; difference: a JSON
--        array as in period_certificate.sql
with

closing as (

    select *
    from period_closing
    where closing_id = current_setting('tieout.closing')::integer

),

previous as (

    select earlier.*
    from period_closing as earlier
    inner join closing on earlier.period = closing.period and earlier.closing_id < closing.closing_id
    order by earlier.closing_id desc
    limit 1

),

-- The amounts of this pack, and those of the previous one, negated.
line as (

    select
        amount.currency,
        amount.price_source,
        case amount.kind when 'refunded' then -part.sign else part.sign end as sign,
        amount.units,
        amount.amount
    from (
        select
            closing_id,
            1 as sign
        from closing
        union all
        select
            closing_id,
            -1
        from previous
    ) as part
    inner join period_amount as amount on part.closing_id = amount.closing_id
    where amount.kind in ('sold', 'refunded')

),

moved as (

    select
        currency,
        price_source,
        sum(sign * units) as units,
        sum(sign * amount) as net
    from line
    group by currency, price_source

)

select
    previous.closing,
    previous.pack_sha256,
    previous.prepared_by,
    csv_instant(previous.prepared_at) as prepared_at,
    previous.reopened_by,
    csv_instant(previous.reopened_at) as reopened_at,
    previous.reopened_because,
    (
        select
            '[' || coalesce(
                string_agg(
                    difference_element(moved.currency, moved.price_source, moved.units, moved.net),
                    ',' order by moved.currency, moved.price_source
                ),
                ''
            ) || ']'
        from moved
        where moved.units <> 0 or moved.net <> 0
    ) as difference
from previous
