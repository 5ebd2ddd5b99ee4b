-- Creates the views that say which edition stands for an ended month.

-- The months of which every day is closed, each with the last closing that has days of it. A month can be closed in
-- parts. What changed in a part before that closing is in the pack of a later closing, so the packs up to that one add
-- up to the month.
create view closed_month as
select
    whole.month::date as month,
    max(period_closing.closing_id) as closing_id,
    max(period_closing.run_id) as run_id
from period_closing
cross join lateral generate_series(
    date_trunc('month', period_closing.first_day::timestamp), period_closing.last_day::timestamp, interval '1 month'
) as whole (month)
where period_closing.reopened_at is null
group by whole.month
having
    sum(
        least(period_closing.last_day, (whole.month + interval '1 month')::date - 1)
        - greatest(period_closing.first_day, whole.month::date) + 1
    ) = (whole.month + interval '1 month')::date - whole.month::date;

-- The rows of published_month without those of closings that were reopened, and of nights that an operator has made
-- runs of a past day.
create view standing_month as
select
    published_month.month,
    published_month.run_id,
    published_month.edition,
    published_month.is_closed
from published_month
inner join run on published_month.run_id = run.run_id
where
    not published_month.is_closed and not run.is_of_past_day
    or published_month.is_closed
    and exists (
        select
        from closed_month
        where closed_month.month = published_month.month and closed_month.run_id = published_month.run_id
    )
