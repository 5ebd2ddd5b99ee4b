-- Returns what tie_out.csv adds up to: by report, length of the periods, and currency, in total and for the five
-- newest periods.
--
-- A row without a currency has units. Totals have at most six currencies, those of the most rows. Periods of one length
-- do not overlap, so they add up. What is pending is one total, without the numbers of Apple, of all days that no
-- report covers.
--
-- Gives  reported_periods: also counts the reports of periods without a row of tie_out.csv;
--        quiet_days: the pending days of Sales and Trends on which we sold and refunded nothing, by the day in
--        California, so Apple has no report;
--        tied_lines: the rows in which both sides have the same units (in a sum of a currency: the same amount) and the
--        same refunded units, and no part is on one side or unexplained: what differs can cancel, such as a sale and
--        its refund that only one side has;
--        explained: what the other columns of tie_out.csv explain;
--        one_side: what only Apple reports or only we have
with

period as materialized (

    select
        known.*,
        case
            when known.state = 'pending' then 'pending'
            when known.kind = 'financial' then 'fiscal month'
            when known.period_begin = known.period_end then 'day'
            when known.period_end - known.period_begin = 6 then 'week'
            when
                known.period_begin = date_trunc('month', known.period_begin)
                and known.period_end = (known.period_begin + interval '1 month')::date - 1
                then 'month'
            else 'longer period'
        end as cadence
    from night
    cross join lateral apple_period(night.as_of, night.revenue_since) as known

),

line as (

    select
        tie_out_row.*,
        period.cadence
    from tie_out_row
    inner join period using (kind, state, period_begin, period_end)

),

measured as (

    select
        kind,
        cadence,
        period_begin,
        period_end,
        '' as currency,
        ours,
        theirs,
        only_here + only_apple as one_side,
        unexplained,
        ours_refunded = theirs_refunded as has_same_refunds,
        case when has_money then ours_unpriced else ours end as without_amount
    from line
    union all
    select
        kind,
        cadence,
        period_begin,
        period_end,
        currency,
        ours_amount,
        theirs_amount,
        only_here_amount + only_apple_amount,
        unexplained_amount,
        ours_refunded = theirs_refunded,
        0
    from line
    where has_money
    union all
    select
        kind,
        cadence,
        period_begin,
        period_end,
        '',
        0,
        0,
        0,
        0,
        true,
        0
    from period
    where state = 'pending'

),

rated as (

    select
        *,
        theirs - ours - one_side - unexplained as explained,
        -- Less than the smallest unit of the currency is a rounding, and no finding (rule_unexplained_difference.sql).
        unexplained <> 0 and (currency = '' or abs(unexplained) >= 0.1 ^ currency_digits(currency)) as is_unexplained
    from measured

),

summed as (

    select
        kind,
        cadence,
        currency,
        period_begin,
        period_end,
        grouping(period_begin) = 1 as is_total,
        count(distinct (period_begin, period_end)) as periods,
        range_agg(daterange(period_begin, period_end, '[]')) as days,
        count(*) as lines,
        count(*) filter (
            where theirs = ours and has_same_refunds and one_side = 0 and not is_unexplained
        ) as tied_lines,
        count(*) filter (where explained <> 0) as explained_lines,
        count(*) filter (where one_side <> 0) as one_side_lines,
        count(*) filter (where is_unexplained) as unexplained_lines,
        sum(ours) as ours,
        sum(theirs) as theirs,
        sum(explained) as explained,
        sum(one_side) as one_side,
        sum(unexplained) as unexplained,
        sum(without_amount) as without_amount
    from rated
    group by grouping sets ((kind, cadence, currency), (kind, cadence, currency, period_begin, period_end))

),

-- All periods have units, but not all have rows of each currency.
whole as materialized (

    select
        kind,
        cadence,
        periods as all_periods,
        days as all_days,
        (
            select count(*)
            from period
            where period.kind = summed.kind and period.cadence = summed.cadence
        ) as reported_periods,
        case
            when kind = 'sales_summary' and cadence = 'pending'
                then (
                    select count(*)
                    from (
                        select day::date
                        from unnest(days) as range
                        cross join lateral generate_series(lower(range), upper(range) - 1, interval '1 day') as day
                        except
                        select entry.pacific_day
                        from carried_pacific as entry
                        where
                            is_sale_entry(entry.entry)
                            and entry.entry <> 'upgraded'
                            -- The two days of an entry differ by at most one, so the key finds its rows.
                            and entry.day between lower(days) - 1 and upper(days)
                    ) as quiet
                )
            else 0
        end as quiet_days
    from summed
    where is_total and currency = ''

),

placed as (

    select
        summed.*,
        whole.all_periods,
        whole.reported_periods,
        whole.quiet_days,
        case when summed.is_total then whole.all_days else summed.days end as shown_days,
        count(*) filter (where is_total and currency <> '') over (partition by kind, cadence) as currencies,
        row_number() over (
            partition by kind, cadence, is_total
            order by currency <> '', period_begin desc, period_end desc, lines desc, currency collate "C"
        ) as place
    from summed
    inner join whole using (kind, cadence)

),

dated as (

    select
        placed.*,
        lower(shown_days) as first_day,
        upper(shown_days) - 1 as last_day
    from placed

),

-- The days in the books with list prices, read once and by key.
estimated as materialized (

    select
        currency,
        range_agg(daterange(day, day, '[]')) as days
    from (
        select distinct
            currency,
            day
        from carried_pacific
        where price_source = 'catalogue' and day >= (select min(period_begin) from period)
    ) as listed
    group by currency

)

select
    kind,
    cadence,
    is_total,
    all_periods as periods,
    reported_periods,
    (select sum(upper(range) - lower(range)) from unnest(shown_days) as range) as days,
    quiet_days,
    case
        when cadence = 'month' and first_day + 31 > last_day then to_char(first_day, 'FMMonth YYYY')
        when cadence = 'pending' or first_day = last_day then to_char(first_day, 'FMDD Mon YYYY')
        else to_char(first_day, 'FMDD Mon YYYY') || ' to ' || to_char(last_day, 'FMDD Mon YYYY')
    end as period,
    currency,
    currencies,
    lines,
    tied_lines,
    explained_lines,
    one_side_lines,
    unexplained_lines,
    case when currency = '' then ours else csv_amount(ours, currency) end as ours,
    currency <> '' and coalesce(dated.days && estimated.days, false) as has_list_prices,
    case when cadence <> 'pending' then case when currency = '' then theirs else csv_amount(theirs, currency) end end
        as theirs,
    case when currency = '' then theirs - ours else csv_amount(theirs - ours, currency) end as difference,
    case when currency = '' then explained else csv_amount(explained, currency) end as explained,
    case when currency = '' then one_side else csv_amount(one_side, currency) end as one_side,
    case when currency = '' then unexplained else csv_amount(unexplained, currency) end as unexplained,
    nullif(without_amount, 0) as units_without_amount
from dated
left join estimated using (currency)
where
    is_total and place <= 7
    or not is_total and currency = '' and place <= 5 and cadence <> 'pending' and all_periods > 1
order by
    kind collate "C" desc,
    array_position(array['day', 'week', 'month', 'longer period', 'fiscal month', 'pending'], cadence),
    is_total,
    place
