-- Finds what was published about ended months, or closed in a period, and is wrong although no record has changed it:
-- the carried data that an edition or a closing was made of was wrong.
--
-- What was published is only known as sums. So a correction names no transaction, and its day is any day of the month
-- or the period. A correction of a month is on a day that is not closed, if there is one. A correction of a period is
-- on a day of a month that is not published, or another day of the month takes it back. If the month has neither,
-- the period stays as it was closed.
--
-- Takes          restated_line (restated_line.sql) of all months; the carried relations as the night leaves them
-- Leaves behind  correction: the corrections, in the columns of restated_entry that they have.

-- A day in no closed period, of each month that has one.
create temporary table unclosed_day on commit drop as
select
    published.month,
    min(listed.day)::date as day
from (select distinct month from compared_month) as published
cross join lateral generate_series(
    published.month::timestamp,
    published.month::timestamp + interval '1 month' - interval '1 day',
    interval '1 day'
) as listed (day)
where
    not exists (
        select
        from period_closing
        where
            period_closing.reopened_at is null
            and listed.day::date between period_closing.first_day and period_closing.last_day
    )
group by published.month;

create temporary table month_correction on commit drop as
select
    coalesce(unclosed_day.day, line.month) as day,
    line.product_id,
    line.currency,
    line.price_source,
    line.kind,
    sum(case when line.is_now then line.units else -line.units end) as units,
    sum(case when line.is_now then line.amount else -line.amount end) as amount
from restated_line as line
left join unclosed_day on line.month = unclosed_day.month
group by line.month, unclosed_day.day, line.product_id, line.currency, line.price_source, line.kind
having
    sum(case when line.is_now then line.units else -line.units end) <> 0
    or sum(case when line.is_now then line.amount else -line.amount end) <> 0;

create temporary table period_correction on commit drop as
with

standing as (

    select
        closing_id,
        first_day,
        last_day,
        run_id
    from period_closing
    where reopened_at is null

),

-- As in period_balance.sql, and what the next closing will have about earlier ones (period_amount.sql).
line as (

    select
        origin.closing_id,
        amount.product_id,
        amount.currency,
        amount.price_source,
        amount.kind,
        -amount.units as units,
        -amount.amount as amount
    from period_amount as amount
    inner join standing on amount.closing_id = standing.closing_id
    inner join standing as origin on amount.origin_closing_id = origin.closing_id
    union all
    select
        standing.closing_id,
        entry.product_id,
        entry.currency,
        entry.price_source,
        entry.kind,
        -entry.units,
        -entry.amount
    from standing
    inner join restated_entry as entry on entry.day between standing.first_day and standing.last_day
    where entry.kind <> 'missing' and entry.run_id > (select max(standing.run_id) from standing)
    union all
    select
        standing.closing_id,
        month_correction.product_id,
        month_correction.currency,
        month_correction.price_source,
        month_correction.kind,
        -month_correction.units,
        -month_correction.amount
    from standing
    inner join month_correction on month_correction.day between standing.first_day and standing.last_day
    where month_correction.kind <> 'missing'
    union all
    select
        standing.closing_id,
        recorded_product.product_id,
        entry.currency,
        price_source_name(entry.price_source_code),
        entry_kind_name(entry.kind_code),
        entry.units,
        entry.amount
    from (
        select
            day,
            product_number,
            currency,
            price_source_code,
            kind_code,
            sum(units) as units,
            sum(amount) as amount
        from carried_entry
        group by day, product_number, currency, price_source_code, kind_code
    ) as entry
    inner join standing on entry.day between standing.first_day and standing.last_day
    inner join recorded_product on entry.product_number = recorded_product.product_number

),

wrong as (

    select
        closing_id,
        product_id,
        currency,
        price_source,
        kind,
        sum(units) as units,
        sum(amount) as amount
    from line
    group by closing_id, product_id, currency, price_source, kind
    having sum(units) <> 0 or sum(amount) <> 0

),

-- A day of the period for its corrections, and a day of the same month that takes them back, if it is published.
placed as (

    select distinct on (standing.closing_id)
        standing.closing_id,
        greatest(standing.first_day, part.month::date) as day,
        unclosed_day.day as opposite_day
    from standing
    cross join lateral generate_series(
        date_trunc('month', standing.first_day::timestamp), standing.last_day::timestamp, interval '1 month'
    ) as part (month)
    left join (select distinct month from compared_month) as published on part.month::date = published.month
    left join unclosed_day on part.month::date = unclosed_day.month
    where published.month is null or unclosed_day.day is not null
    order by standing.closing_id, published.month is not null, part.month

)

select
    side.day,
    wrong.product_id,
    wrong.currency,
    wrong.price_source,
    wrong.kind,
    side.sign * wrong.units as units,
    side.sign * wrong.amount as amount
from wrong
inner join placed on wrong.closing_id = placed.closing_id
cross join lateral (values (placed.day, 1), (placed.opposite_day, -1)) as side (day, sign)
where side.day is not null;

create temporary table correction on commit drop as
select
    part.day,
    part.product_id,
    part.currency,
    part.price_source,
    part.kind,
    sum(part.units)::bigint as units,
    sum(part.amount) as amount
from (
    select * from month_correction
    union all
    select * from period_correction
) as part
group by part.day, part.product_id, part.currency, part.price_source, part.kind
having sum(part.units) <> 0 or sum(part.amount) <> 0
