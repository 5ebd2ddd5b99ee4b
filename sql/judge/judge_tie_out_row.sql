-- Returns the rows of tie_out.csv: the columns of the function tie_out (schema_tie_out_bridge.sql), and their name. A
-- rule, a report and the page read them. Who reads this relation needs rights on the tables that the function reads.
--
-- A compared row whose numbers are all zero is left out, such as that of a row of Apple's with zero units.
select
    explained.kind,
    explained.period_begin,
    explained.period_end,
    explained.state,
    explained.product_id collate "C" as product_id,
    explained.country,
    explained.currency,
    explained.has_money,
    explained.ours,
    explained.theirs,
    explained.cut_off,
    explained.refund_cut_off,
    explained.restored,
    explained.free,
    explained.family_shared,
    explained.other_environment,
    explained.upgrades,
    explained.invalid_identifier,
    explained.only_here,
    explained.only_apple,
    explained.not_yet_processed,
    explained.unexplained,
    explained.ours_amount,
    explained.theirs_amount,
    explained.cut_off_amount,
    explained.refund_cut_off_amount,
    explained.upgrades_amount,
    explained.invalid_identifier_amount,
    explained.only_here_amount,
    explained.only_apple_amount,
    explained.not_yet_processed_amount,
    explained.estimated_amount,
    explained.unpriced_amount,
    explained.price_amount,
    explained.unexplained_amount,
    -- The name of the row: product, report, period, country and currency, as far as they are known.
    tie_out_key(
        explained.kind, explained.period_begin, explained.period_end, explained.product_id, explained.country,
        explained.currency
    ) as key,
    explained.ours_refunded,
    explained.theirs_refunded,
    explained.ours_unpriced
from night
cross join lateral tie_out(night.as_of, night.revenue_since) as explained
where
    explained.state <> 'compared'
    or 0 <> any(array[
        explained.ours, explained.theirs, explained.ours_refunded, explained.theirs_refunded,
        explained.cut_off, explained.refund_cut_off, explained.restored, explained.free, explained.family_shared,
        explained.other_environment, explained.upgrades, explained.invalid_identifier, explained.only_here,
        explained.only_apple, explained.not_yet_processed, explained.unexplained,
        explained.ours_amount, explained.theirs_amount, explained.cut_off_amount, explained.refund_cut_off_amount,
        explained.upgrades_amount, explained.invalid_identifier_amount, explained.only_here_amount,
        explained.only_apple_amount, explained.not_yet_processed_amount, explained.estimated_amount,
        explained.unpriced_amount, explained.price_amount, explained.unexplained_amount
    ])
