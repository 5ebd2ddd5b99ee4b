-- Returns what a person who closes or approves a period must know about its numbers, one sentence in each row:
-- unreadable files, units without an amount, days without a report of Sales and Trends, and what the Financial Reports
-- lack that those before them have.
--
-- A Financial Report that is missing as a whole is not named, because Apple publishes it long after the month.
--
-- The units without an amount are those of the pack, because the finding unpriced_product can be resolved by time since
-- the period ended. Free trials are among them.
--
-- Takes  $1 and $2: the first and the last day of the period.
--        $3: the number of the closing.
-- Gives  words
with

period as (

    select daterange($1::date, $2::date, '[]') as days

),

unread as (

    select
        count(*) as files,
        min(path) as path
    from unread_file

),

unpriced as (

    select
        product_id,
        sum(units) as units,
        row_number() over (order by sum(units) desc, product_id) as place
    from period_amount
    where
        closing_id = $3::integer
        and origin_closing_id = closing_id
        and price_source = 'none'
        and kind = 'sold'
    group by product_id
    having sum(units) > 0

),

pending as (

    select
        range_agg(daterange(gap.period_begin, gap.period_end, '[]') * period.days) as ranges
    from night
    cross join period
    cross join lateral apple_period(night.as_of, lower(period.days)) as gap
    where
        gap.kind = 'sales_summary'
        and gap.state = 'pending'
        and daterange(gap.period_begin, gap.period_end, '[]') && period.days

)

select
    1 as place,
    case when files = 1 then '1 file' else files || ' files' end
    || ' of the inbox could not be read, so these amounts do not contain what is in '
    || case when files = 1 then 'it: ' || path || '.' else 'them. The first one is ' || path || '.' end as words
from unread
where files > 0
union all
select
    2,
    format(
        'No amount is known for %s of this period: %s%s.',
        unit_words(sum(units)),
        string_agg(product_id, ', ' order by place) filter (where place <= 3),
        ', and ' || nullif(greatest(count(*) - 3, 0), 0) || ' more'
    )
from unpriced
having count(*) > 0
union all
select
    3,
    format(
        'No report of Sales and Trends covers %s of these days: %s%s.',
        sum(upper(part.days) - lower(part.days)),
        string_agg(report_period(lower(part.days), upper(part.days) - 1), ', ' order by part.place)
            filter (where part.place <= 5),
        ', and ' || nullif(greatest(count(*) - 5, 0), 0) || ' more'
    )
from pending
cross join lateral unnest(pending.ranges) with ordinality as part (days, place)
having count(*) > 0
union all
select
    4,
    format(
        'The Financial Report of %s..%s has no row of %s, which the one before it has: the report of a region may be '
        'missing.',
        to_char(lost.period_begin, 'YYYY-MM-DD'), to_char(lost.period_end, 'YYYY-MM-DD'), lost.words
    )
from night
cross join period
cross join lateral lost_region(night.as_of, lower(period.days)) as lost
where daterange(lost.period_begin, lost.period_end, '[]') && period.days
order by place, words
