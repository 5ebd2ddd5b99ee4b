-- Returns one row: the closing before this one of the same period, and by how much the numbers of the two packs differ.
-- No row if the period was never closed before.
--
-- Takes  tieout.closing: the id of the closing
-- Gives  closing (its number) and pack_sha256: its pack; who closed and reopened it, when and why; difference and
--        difference_words: by how much the two packs differ, as in period_certificate.sql
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

-- The numbers of period.csv of this pack less those of the previous one.
moved as (

    select
        amount.product_id,
        amount.kind,
        amount.currency,
        amount.price_source,
        sum(part.sign * amount.units) as units,
        sum(part.sign * amount.amount) as amount
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
    inner join period_closing as origin on amount.origin_closing_id = origin.closing_id
    group by
        amount.cause,
        origin.period,
        amount.product_id,
        amount.kind,
        amount.currency,
        amount.price_source
    having sum(part.sign * amount.units) <> 0 or sum(part.sign * amount.amount) <> 0

),

difference as (

    select
        array_agg(
            row(product_id, kind, currency, price_source, units, amount)::changed_number
        ) as changes
    from moved

)

select
    previous.closing,
    previous.pack_sha256,
    previous.prepared_by,
    csv_instant(previous.prepared_at) as prepared_at,
    previous.reopened_by,
    csv_instant(previous.reopened_at) as reopened_at,
    previous.reopened_because,
    difference_json(difference.changes) as difference,
    difference_words(difference.changes) as difference_words
from previous
cross join difference
