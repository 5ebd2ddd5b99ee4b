-- Returns tie_out.csv: our units and amounts against those of Apple's reports, with what explains the difference, by
-- report, period, product, country and currency.
--
-- In each compared row ours and what explains the difference give Apple's; `balanced` asserts it. The reports are those
-- that proceeds.csv adds up, of Financial Reports only the months that end a month before revenue_since or later; with
-- them come the days of Sales and Trends since the first of these months. Since the first report of a kind, days that
-- no report covers are pending. The select list is the CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     without totals
-- Rule      none
-- Identity  report, period_begin, period_end, product_id, country, currency
-- As-of     period_end (if pending)
select
    tie_out_row.kind as report,
    tie_out_row.state,
    to_char(tie_out_row.period_begin, 'YYYY-MM-DD') as period_begin,
    to_char(tie_out_row.period_end, 'YYYY-MM-DD') as period_end,
    csv_text(tie_out_row.product_id) as product_id,
    nullif(tie_out_row.country, '') as country,
    nullif(tie_out_row.currency, '') as currency,
    tie_out_row.ours as ours_units,
    compared.apple_units,
    compared.difference_units,
    compared.cut_off_units,
    compared.refund_cut_off_units,
    compared.restored_units,
    compared.free_units,
    compared.family_shared_units,
    compared.other_environment_units,
    compared.upgrades_units,
    compared.invalid_identifier_units,
    compared.only_here_units,
    compared.only_apple_units,
    compared.not_yet_processed_units,
    compared.unexplained_units,
    case when tie_out_row.has_money then csv_amount(tie_out_row.ours_amount, tie_out_row.currency) end as ours_amount,
    money.apple_amount,
    money.difference_amount,
    money.cut_off_amount,
    money.refund_cut_off_amount,
    money.upgrades_amount,
    money.invalid_identifier_amount,
    money.only_here_amount,
    money.only_apple_amount,
    money.not_yet_processed_amount,
    money.estimated_amount,
    money.unpriced_amount,
    money.price_amount,
    money.unexplained_amount,
    tie_out_row.ours_refunded as ours_refunded_units,
    compared.apple_refunded_units
from tie_out_row
left join lateral (
    select
        balanced(
            theirs,
            ours + cut_off + refund_cut_off + restored + free + family_shared + other_environment + upgrades
            + invalid_identifier + only_here + only_apple + not_yet_processed + unexplained,
            'The units of tie_out.csv'
        ) as apple_units,
        theirs - ours as difference_units,
        cut_off as cut_off_units,
        refund_cut_off as refund_cut_off_units,
        restored as restored_units,
        free as free_units,
        family_shared as family_shared_units,
        other_environment as other_environment_units,
        upgrades as upgrades_units,
        invalid_identifier as invalid_identifier_units,
        only_here as only_here_units,
        only_apple as only_apple_units,
        not_yet_processed as not_yet_processed_units,
        unexplained as unexplained_units,
        theirs_refunded as apple_refunded_units
) as compared on tie_out_row.state = 'compared'
left join lateral (
    select
        csv_amount(
            balanced(
                theirs_amount,
                ours_amount + cut_off_amount + refund_cut_off_amount + upgrades_amount + invalid_identifier_amount
                + only_here_amount + only_apple_amount + not_yet_processed_amount + estimated_amount
                + unpriced_amount + price_amount + unexplained_amount,
                'The amounts of tie_out.csv'
            ),
            currency
        ) as apple_amount,
        csv_amount(theirs_amount - ours_amount, currency) as difference_amount,
        csv_amount(tie_out_row.cut_off_amount, currency) as cut_off_amount,
        csv_amount(tie_out_row.refund_cut_off_amount, currency) as refund_cut_off_amount,
        csv_amount(tie_out_row.upgrades_amount, currency) as upgrades_amount,
        csv_amount(tie_out_row.invalid_identifier_amount, currency) as invalid_identifier_amount,
        csv_amount(tie_out_row.only_here_amount, currency) as only_here_amount,
        csv_amount(tie_out_row.only_apple_amount, currency) as only_apple_amount,
        csv_amount(tie_out_row.not_yet_processed_amount, currency) as not_yet_processed_amount,
        csv_amount(tie_out_row.estimated_amount, currency) as estimated_amount,
        csv_amount(tie_out_row.unpriced_amount, currency) as unpriced_amount,
        csv_amount(tie_out_row.price_amount, currency) as price_amount,
        csv_amount(tie_out_row.unexplained_amount, currency) as unexplained_amount
) as money on tie_out_row.state = 'compared' and tie_out_row.has_money
order by
    tie_out_row.kind collate "C",
    tie_out_row.period_begin,
    tie_out_row.period_end,
    tie_out_row.product_id collate "C",
    tie_out_row.country collate "C",
    tie_out_row.currency collate "C"
