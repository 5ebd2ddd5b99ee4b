-- Returns roll_forward.csv: how the open findings of the edition before became those of this edition, by rule, reason
-- and currency.
--
-- findings_rolled.sql asserts the sums. A run of a past day changes no finding and has no rows, because those of the
-- day's night do not lead to the findings that this run shows. The select list is the CSV header.
--
-- Kind      night paper
-- Edition   no
-- Sheet     with totals
-- Rule      none
select
    roll_forward.rule,
    nullif(roll_forward.reason, '') as reason,
    csv_text(roll_forward.currency) as currency,
    roll_forward.opening,
    roll_forward.new,
    roll_forward.reopened,
    roll_forward.reclassified_in,
    roll_forward.reclassified_out,
    roll_forward.resolved,
    roll_forward.acknowledged,
    roll_forward.returned,
    roll_forward.closing,
    roll_forward.opening_amount,
    roll_forward.new_amount,
    roll_forward.reopened_amount,
    roll_forward.remeasured_amount,
    roll_forward.reclassified_in_amount,
    roll_forward.reclassified_out_amount,
    roll_forward.resolved_amount,
    roll_forward.acknowledged_amount,
    roll_forward.returned_amount,
    roll_forward.closing_amount
from roll_forward
inner join night on roll_forward.run_id = night.run_id
order by
    roll_forward.rule,
    roll_forward.reason,
    roll_forward.currency
