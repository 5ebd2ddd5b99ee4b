-- Returns one finding for each row of tie_out.csv with a material difference that nothing explains.
--
-- Finds      rows of compared periods whose unexplained units are as many as `materiality` says for `units` (1 if it
--            does not), or whose unexplained amount is as large as it says for the currency (its smallest unit if it
--            does not). The sign does not matter. In Sales and Trends the same holds for what only Apple reports
--            (`only_apple`) and for what only we have (`only_here`).
-- Leaves out periods that ended less than `grace_hours` before as-of, by the days in California, because receipts may
--            still arrive; what one side lacks in a Financial Report, because Apple settles a sale in a later month;
--            periods that Apple has not reported; and everything while there is no report of Apple.
--
-- Levels     warning
-- Judges     the night
-- Exception  none
-- Reads      night, tie_out_row
-- Gives      level, environment, reason, detail
-- Key        product_id, apple_report, period, country, currency
-- Resolved   records, time
-- Sentence   Apple reports other sales of its product (only if asked for)
-- Otherwise  no unexplained difference to Apple's reports for its product, country, and days of purchase and refund
with

line as (

    select
        tie_out_row.*,
        night.materiality,
        case
            when tie_out_row.kind <> 'sales_summary' then 'unexplained'
            when (tie_out_row.only_apple, tie_out_row.only_apple_amount) <> (0, 0) then 'only_apple'
            when (tie_out_row.only_here, tie_out_row.only_here_amount) <> (0, 0) then 'only_here'
            else 'unexplained'
        end as reason
    from night
    cross join tie_out_row
    where
        tie_out_row.state = 'compared'
        and (tie_out_row.period_end + 1)::timestamp at time zone apple_time_zone() + night.grace <= night.as_of

),

rest as (

    -- What only we have is our number, so its sign is that of our sales.
    select
        line.*,
        case reason when 'only_apple' then only_apple when 'only_here' then -only_here else unexplained end as units,
        case reason
            when 'only_apple' then only_apple_amount
            when 'only_here' then -only_here_amount
            else unexplained_amount
        end as amount
    from line

)

select
    'warning' as level,
    '' as environment,
    (key).product_id,
    (key).apple_report,
    (key).period,
    (key).country,
    (key).currency,
    reason,
    concat_ws(
        ', ',
        case reason
            when 'only_apple' then format('units that only Apple reports: %s', units)
            when 'only_here' then format('units that Apple does not report: %s', units)
            else format('unexplained units: %s of %s that Apple reports', units, theirs)
        end,
        case
            when has_money and reason = 'unexplained'
                then format(
                    'unexplained amount: %s %s of %s',
                    csv_amount(amount, currency), currency, csv_amount(theirs_amount, currency)
                )
            when has_money then format('amount: %s %s', csv_amount(amount, currency), currency)
        end
    ) as detail
from rest
where
    abs(units) >= coalesce((materiality ->> 'units')::numeric, 1)
    and units <> 0
    or has_money
    -- Apple rounds each refunded part of a price to the smallest unit of the currency.
    and abs(amount) >= coalesce((materiality ->> currency)::numeric, 0.1 ^ currency_digits(currency))
    and amount <> 0
