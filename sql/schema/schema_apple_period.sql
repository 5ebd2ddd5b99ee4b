-- Creates the functions that say which periods Apple's reports cover, and what they lack.

-- The periods of Sales and Trends and of Financial Reports that tie_out.csv compares, and the days without a report
-- (`pending`).
--
-- Since the first report of a kind that was ever loaded, each day up to as-of is expected. The periods are those that
-- end on or after `since`, of Financial Reports also those of the month before, and with them the days of Sales and
-- Trends since the first of these months. `since`: the first day of revenue.csv.
create function apple_period(as_of timestamptz, since date)
returns table (kind text, period_begin date, period_end date, state text)
language sql stable parallel safe
as $$
    with

    report as (

        select distinct
            apple_report.kind,
            apple_report.period_begin,
            apple_report.period_end
        from apple_report
        where
            apple_report.kind in ('financial', 'sales_summary')
            and apple_report.period_end <= (apple_period.as_of at time zone apple_time_zone())::date

    ),

    bound as (

        select
            (apple_period.as_of at time zone apple_time_zone())::date as today,
            least(apple_period.since, (
                select min(report.period_begin)
                from report
                where
                    report.kind = 'financial'
                    -- A Financial Report is compared if its fiscal month ended at most this time before `since`. Apple
                    -- publishes it about five weeks after the month. By default `since` is then a day after that month.
                    and report.period_end >= apple_period.since - interval '1 month'
            )) as first_day

    ),

    compared_period as (

        select report.*
        from report
        cross join bound
        where report.period_end >= bound.first_day

    ),

    expected as (

        select
            report.kind,
            daterange(greatest(min(report.period_begin), bound.first_day), bound.today + 1) as days
        from report
        cross join bound
        where bound.first_day <= bound.today
        group by report.kind, bound.first_day, bound.today

    )

    select
        compared_period.kind,
        compared_period.period_begin,
        compared_period.period_end,
        'compared'
    from compared_period
    union all
    select
        gap.kind,
        lower(gap.days),
        upper(gap.days) - 1,
        'pending'
    from (
        select
            expected.kind,
            unnest(
                datemultirange(expected.days)
                - coalesce(
                    range_agg(daterange(compared_period.period_begin, compared_period.period_end, '[]'))
                        filter (where compared_period.kind is not null),
                    '{}'
                )
            ) as days
        from expected
        left join compared_period on expected.kind = compared_period.kind
        group by expected.kind, expected.days
    ) as gap
$$;

-- What the Financial Reports of a compared month lack, although the newest ones before them have it: currencies of the
-- partner share, each with countries of sale. The report of a region may not have been loaded.
create function lost_region(as_of timestamptz, since date)
returns table (period_begin date, period_end date, words text)
language sql stable parallel safe
as $$
    with

    cell as (

        select distinct
            line.period_begin,
            line.period_end,
            line.proceeds_currency as currency,
            line.country
        from newest_apple_line(lost_region.as_of, 'infinity') as line
        where line.kind = 'financial'

    ),

    month as (

        select
            period.period_begin,
            period.period_end,
            (
                select max(cell.period_end)
                from cell
                where cell.period_end < period.period_begin
            ) as end_before
        from apple_period(lost_region.as_of, lost_region.since) as period
        where period.kind = 'financial' and period.state = 'compared'

    ),

    lost as (

        select
            month.period_begin,
            month.period_end,
            earlier.currency,
            earlier.country,
            row_number() over (
                partition by month.period_begin, month.period_end, earlier.currency
                order by earlier.country
            ) as place
        from month
        inner join cell as earlier on month.end_before = earlier.period_end
        left join cell
            on
                month.period_begin = cell.period_begin
                and month.period_end = cell.period_end
                and earlier.currency = cell.currency
                and earlier.country = cell.country
        where cell.country is null

    ),

    listed as (

        select
            period_begin,
            period_end,
            currency,
            currency || ' (' || string_agg(country, ', ' order by country) filter (where place <= 6)
            || coalesce(' and ' || nullif(greatest(count(*) - 6, 0), 0) || ' more', '') || ')' as words
        from lost
        group by period_begin, period_end, currency

    )

    select
        period_begin,
        period_end,
        string_agg(words, ', ' order by currency)
    from listed
    group by period_begin, period_end
$$
