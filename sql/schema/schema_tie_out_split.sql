-- Creates the functions that split what is left of a difference to Apple's report.

-- The parts of an amount that is left after the causes that our own records show.
--
-- Each part is limited to what it can explain: unexplained units to Apple's prices of a unit (low_price, high_price),
-- an estimate to what Apple's prices make of our estimated units (low_estimate, high_estimate), and the upgrades to the
-- highest price of each unit that Apple took back (`upgrades`, zero or negative). The rest is unexplained, with the
-- amount of the unexplained units.
create function tie_out_split(
    amount numeric,
    units numeric,
    low_price numeric,
    high_price numeric,
    low_estimate numeric,
    high_estimate numeric,
    upgrades numeric
)
returns table (estimated numeric, upgraded numeric, unexplained numeric)
language sql immutable parallel safe
as $$
    select
        guessed.estimated,
        given.upgraded,
        tie_out_split.amount - guessed.estimated - given.upgraded
    from (
        -- Of all prices of the unexplained units, those that explain most.
        select
            tie_out_split.amount - greatest(
                least(units * low_price, units * high_price),
                least(tie_out_split.amount, greatest(units * low_price, units * high_price))
            ) as amount
    ) as rest
    cross join lateral (
        select greatest(low_estimate, least(rest.amount, high_estimate)) as estimated
    ) as guessed
    cross join lateral (
        select greatest(upgrades * high_price, least(0, rest.amount - guessed.estimated)) as upgraded
    ) as given
$$;

-- What Apple has not yet processed: the units and the amount of a Financial Report minus those of the daily reports, if
-- they state each day of the month (`is_known`).
--
-- They explain nothing where the numbers agree without them (`units_left`, `amount_left`): an error of a daily report
-- must not make a difference to the Financial Report.
create function tie_out_late(
    is_known boolean, units numeric, amount numeric, units_left numeric, amount_left numeric
)
returns table (not_yet_processed numeric, not_yet_processed_amount numeric)
language sql immutable parallel safe
as $$
    select
        case when is_known and units_left <> 0 then units else 0 end,
        case when is_known and (units_left <> 0 or units = 0 and amount_left <> 0) then amount else 0 end
$$;

-- The name of the period of a report of Apple: one day, or the first and the last one.
create function report_period(period_begin date, period_end date) returns text
language sql stable parallel safe
return to_char(period_begin, 'YYYY-MM-DD')
|| case when period_begin < period_end then to_char(period_end, '..YYYY-MM-DD') else '' end;

-- The name of a row of tie_out.csv.
create function tie_out_key(
    kind text, period_begin date, period_end date, product_id text, country text, currency text
)
returns finding_key
language sql immutable parallel safe
as $$
    select
        jsonb_populate_record(
            null::finding_key,
            jsonb_build_object(
                'product_id', product_id,
                'apple_report', kind,
                'period', report_period(period_begin, period_end),
                'country', nullif(country, ''),
                'currency', nullif(currency, '')
            )
        )
$$
