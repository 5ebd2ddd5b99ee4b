-- Finds tonight's reports of Apple and tonight's evidence about the differences that were resolved tonight.
--
-- A day in another time zone begins at most a day earlier or later, so evidence counts with a margin of two days.
--
-- Takes  resolved_tonight (findings_live.sql), resolved_thing, new_file (findings_things.sql) and new_evidence
--        (findings_new_record.sql)
-- Fills  resolving_record (findings_records.sql)

-- Many countries and currencies can have differences of one product and period.
create temporary table resolved_difference on commit drop as
select distinct
    resolved_thing.about_id,
    (resolved_tonight.key).product_id,
    (resolved_tonight.key).apple_report as report_kind,
    (resolved_tonight.key).period
from resolved_tonight
inner join resolved_thing
    on resolved_thing.kind = 'difference'
    and concat_ws(
        ' ', (resolved_tonight.key).product_id, (resolved_tonight.key).apple_report, (resolved_tonight.key).period
    ) = resolved_thing.name
where resolved_tonight.rule = 'unexplained_difference';

analyze resolved_difference;

-- Evidence is found by its day: a product can have many periods and much evidence.
create temporary table difference_day on commit drop as
select
    difference.about_id,
    difference.product_id,
    calendar.day::date as day
from resolved_difference as difference
cross join lateral generate_series(
    split_part(difference.period, '..', 1)::timestamp - interval '2 days',
    split_part(difference.period, '..', -1)::timestamp + interval '2 days',
    interval '1 day'
) as calendar (day);

analyze difference_day;

create temporary table new_sale on commit drop as
select
    new_evidence.transaction_id,
    new_evidence.file_id,
    new_evidence.line,
    new_evidence.product_id,
    dated.day
from new_evidence
cross join lateral (
    values
    ((new_evidence.purchased_at at time zone 'UTC')::date),
    ((new_evidence.cancelled_at at time zone 'UTC')::date)
) as dated (day)
where exists (select 1 from resolved_difference);

analyze new_sale;

insert into resolving_record (about_id, kind, name, file_id, line)
select
    difference.about_id,
    'report' as kind,
    concat_ws(' ', difference.report_kind, difference.period) as name,
    report.file_id,
    min(stated.line) as line
from resolved_difference as difference
inner join apple_report as report
    on difference.report_kind = report.kind
    and difference.period = report_period(report.period_begin, report.period_end)
left join apple_report_row as stated
    on report.report_hash = stated.report_hash and difference.product_id = stated.product_id
where report.file_id in (select file_id from new_file)
group by difference.about_id, difference.report_kind, difference.period, report.file_id
union
select
    difference_day.about_id,
    'evidence',
    new_sale.transaction_id,
    new_sale.file_id,
    new_sale.line
from new_sale
inner join difference_day using (product_id, day);

drop table resolved_difference, difference_day, new_sale
