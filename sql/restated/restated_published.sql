-- Inserts the sums of each ended month that tonight's edition publishes for later nights to compare with.
--
-- These are the month whose last day is the day of the edition, and all earlier months that no edition stands for. A
-- month without any sale is among them, because a sale may arrive late.
--
-- A night can find its edition already published: by an earlier night, which has inserted the sums, or by a run of a
-- past day, which has not.
--
-- A closing (sql/period/) publishes the months of which every day is closed then. Other editions do not stand for them
-- until a period with days of the month is reopened.
--
-- Takes  tieout.edition: the number of the edition; tieout.closing: the id of the closing, empty for a night
create temporary table newly_published on commit drop as
select
    ended.month,
    night.run_id
from night
inner join run as own on night.run_id = own.run_id
cross join lateral (
    select month::date
    from generate_series(
        -- The App Store opened in July 2008.
        least((select min(carried_month.month) from carried_month), date '2008-07-01')::timestamp,
        (night.as_of_on + 1)::timestamp - interval '1 month',
        interval '1 month'
    ) as listed (month)
) as ended
left join closed_month on ended.month = closed_month.month
where
    case
        when nullif(current_setting('tieout.closing', true), '') is not null
            then closed_month.closing_id = current_setting('tieout.closing', true)::integer
        else
            (
                (ended.month + interval '1 month')::date - 1 = night.as_of_on
                and closed_month.closing_id is null
                and not exists (
                    select
                    from standing_month as same
                    inner join run on same.run_id = run.run_id
                    where
                        same.month = ended.month
                        and same.edition = current_setting('tieout.edition')::integer
                        and run.as_of_on = own.as_of_on
                        and run.reports_folder = own.reports_folder
                )
            )
            or (
                (ended.month + interval '1 month')::date - 1 < night.as_of_on
                and not exists (select from standing_month as earlier where earlier.month = ended.month)
            )
    end;

-- The newest edition may stand for the month already: then its sums are there.
delete from newly_published
using published_month
where newly_published.month = published_month.month and newly_published.run_id = published_month.run_id;

insert into published_month (month, run_id, edition, is_closed)
select
    month,
    run_id,
    current_setting('tieout.edition')::integer,
    nullif(current_setting('tieout.closing', true), '') is not null
from newly_published;

insert into published_sum (month, run_id, product_id, currency, price_source, kind, units, amount)
select
    newly_published.month,
    newly_published.run_id,
    sold.product_id,
    sold.currency,
    sold.price_source,
    part.kind,
    sum(part.units),
    sum(part.amount)
from newly_published
inner join carried_month as sold on newly_published.month = sold.month
cross join lateral (
    values
    ('sold', sold.units_sold, sold.gross),
    ('refunded', sold.units_refunded, sold.refunds),
    ('upgraded', sold.units_upgraded, null)
) as part (kind, units, amount)
group by
    newly_published.month,
    newly_published.run_id,
    sold.product_id,
    sold.currency,
    sold.price_source,
    part.kind
having sum(part.units) <> 0
union all
select
    newly_published.month,
    newly_published.run_id,
    missing.product_id,
    coalesce(missing.currency, ''),
    missing.price_source,
    'missing',
    sum(missing.quantity)::bigint,
    sum(missing.amount)
from newly_published
cross join night
inner join carried_missing_delivery as missing
    on date_trunc('month', missing.purchased_at at time zone night.time_zone)::date = newly_published.month
where missing.reason <> 'no_records'
group by
    newly_published.month,
    newly_published.run_id,
    missing.product_id,
    coalesce(missing.currency, ''),
    missing.price_source
