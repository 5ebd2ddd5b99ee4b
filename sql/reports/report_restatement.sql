-- Returns restatement.csv: how ended months differ from what was last published about them, split by cause.
--
-- A row is one number of a month, product, currency and source of amounts. What was published is the edition of the
-- last closing of its days if all are closed (closed_month), or else the newest edition of the last day of the month,
-- or else the first edition of a later day. The causes add up to the difference; restated_balance.sql asserts that this
-- gives what is known now. A number that nothing changed has no row. A run of a past day has no rows: what is restated
-- is known as of the newest night, and months.csv of a past day has the numbers as of that day. The select list is the
-- CSV header.
--
-- Kind      night paper
-- Edition   no
-- Sheet     with totals
-- Rule      none
with

published as materialized (

    select distinct on (standing_month.month)
        standing_month.month,
        standing_month.run_id,
        run.as_of_on,
        standing_month.edition
    from standing_month
    inner join run on standing_month.run_id = run.run_id
    cross join night
    inner join run as own on night.run_id = own.run_id
    where
        not own.is_of_past_day
        -- A night publishes a month after it has compared it. A closing uses a night that is done.
        and (
            standing_month.run_id < night.run_id
            or standing_month.run_id = night.run_id and standing_month.is_closed
        )
    order by standing_month.month, standing_month.run_id desc

),

changed as materialized (

    select
        published.month,
        entry.product_id,
        entry.currency,
        entry.price_source,
        entry.kind,
        entry.cause,
        entry.units,
        entry.amount
    from published
    cross join night
    inner join month_change as entry
        on date_trunc('month', entry.day::timestamp)::date = published.month
        and entry.run_id > published.run_id
        and entry.run_id <= night.run_id
        and coalesce(entry.corrected_run_id, published.run_id) = published.run_id

),

line as (

    select *
    from changed
    union all
    select
        published.month,
        published_sum.product_id,
        published_sum.currency,
        published_sum.price_source,
        published_sum.kind,
        'published',
        published_sum.units,
        published_sum.amount
    from published
    inner join published_sum on published.month = published_sum.month and published.run_id = published_sum.run_id
    -- Most numbers have not changed. With coalesce those that have are hashed: the planner expects few.
    where
        coalesce(
            (published_sum.month, published_sum.product_id, published_sum.currency, published_sum.price_source)
            in (select changed.month, changed.product_id, changed.currency, changed.price_source from changed),
            false
        )

),

number as (

    select
        line.month,
        line.product_id,
        line.currency,
        line.price_source,
        measure.place,
        measure.name,
        line.cause,
        sum(measure.value) as value
    from line
    cross join lateral (
        values
        (1, case when line.kind = 'sold' then 'units_sold' end, line.units::numeric),
        (2, case when line.kind = 'sold' then 'gross' end, line.amount),
        (3, case when line.kind = 'refunded' then 'units_refunded' end, line.units),
        (4, case when line.kind = 'refunded' then 'refunds' end, line.amount),
        (5, case when line.kind = 'sold' then 'net' end, line.amount),
        (5, case when line.kind = 'refunded' then 'net' end, -line.amount),
        (6, case when line.kind = 'upgraded' then 'units_upgraded' end, line.units),
        (7, case when line.kind = 'missing' then 'units_missing' end, line.units),
        (8, case when line.kind = 'missing' then 'gross_missing' end, line.amount)
    ) as measure (place, name, value)
    where measure.name is not null and measure.value is not null
    group by
        line.month,
        line.product_id,
        line.currency,
        line.price_source,
        measure.place,
        measure.name,
        line.cause

)

select
    to_char(number.month, 'YYYY-MM') as month,
    csv_text(number.product_id) as product_id,
    csv_text(number.currency) as currency,
    number.price_source,
    number.name as measure,
    edition_name(published.as_of_on, published.edition) as edition,
    coalesce(sum(number.value) filter (where number.cause = 'published'), 0) as published,
    nullif(sum(number.value) filter (where number.cause = 'after_as_of'), 0) as after_as_of,
    nullif(sum(number.value) filter (where number.cause = 'evidence_arrived'), 0) as evidence_arrived,
    nullif(sum(number.value) filter (where number.cause = 'refunded'), 0) as refunded,
    nullif(sum(number.value) filter (where number.cause = 'refund_reversed'), 0) as refund_reversed,
    nullif(sum(number.value) filter (where number.cause = 'log_arrived'), 0) as log_arrived,
    nullif(sum(number.value) filter (where number.cause = 'catalogue_changed'), 0) as catalogue_changed,
    nullif(sum(number.value) filter (where number.cause = 'settings_changed'), 0) as settings_changed,
    nullif(sum(number.value) filter (where number.cause = 'file_withdrawn'), 0) as file_withdrawn,
    nullif(sum(number.value) filter (where number.cause = 'account_forgotten'), 0) as account_forgotten,
    nullif(sum(number.value) filter (where number.cause = 'error_corrected'), 0) as error_corrected,
    sum(case when number.cause = 'published' then 0 else number.value end) as difference,
    sum(number.value) as restated
from number
inner join published on number.month = published.month
group by
    number.month,
    number.product_id,
    number.currency,
    number.price_source,
    number.place,
    number.name,
    published.as_of_on,
    published.edition
having bool_or(number.cause <> 'published' and number.value <> 0)
order by
    number.month,
    number.product_id,
    number.currency,
    number.price_source,
    number.place
