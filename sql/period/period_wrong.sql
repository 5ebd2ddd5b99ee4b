-- Returns the closed periods whose numbers are wrong, in the order of their closings.
select period_closing.period
from period_closing
where
    period_closing.reopened_at is null
    and period_closing.period in (select period_difference.period from period_difference)
order by period_closing.closing_id
