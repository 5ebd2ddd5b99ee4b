-- Returns one finding for each row of tie_out.csv with an unexplained difference that is material.
--
-- Finds      rows of compared periods whose unexplained units are as many as `materiality` says for `units` (1 if it
--            does not), or whose unexplained amount is as large as it says for the currency (anything but zero if it
--            does not). The sign does not matter.
-- Leaves out periods that Apple has not reported, and everything while there is no report of Apple.
--
-- Gives  level, environment, subject, reason, detail
select
    'warning' as level,
    '' as environment,
    concat_ws(
        ' ',
        line.product_id,
        line.kind,
        to_char(line.period_begin, 'YYYY-MM-DD'),
        to_char(line.period_end, 'YYYY-MM-DD'),
        nullif(line.country, ''),
        nullif(line.currency, '')
    ) as subject,
    null as reason,
    concat_ws(
        ', ',
        format('unexplained units: %s of %s that Apple reports', line.unexplained, line.theirs),
        case
            when line.has_money
                then format(
                    'unexplained amount: %s %s of %s',
                    csv_amount(line.unexplained_amount, line.currency),
                    line.currency,
                    csv_amount(line.theirs_amount, line.currency)
                )
        end
    ) as detail
from night
cross join lateral tie_out(night.as_of, night.revenue_since) as line
where
    line.state = 'compared'
    and (
        abs(line.unexplained) >= coalesce((night.materiality ->> 'units')::numeric, 1)
        and line.unexplained <> 0
        or line.has_money
        and abs(line.unexplained_amount) >= coalesce((night.materiality ->> line.currency)::numeric, 0)
        and line.unexplained_amount <> 0
    )
