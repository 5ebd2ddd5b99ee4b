-- Finds tonight's reports of Apple and tonight's evidence about the differences that were resolved tonight.
--
-- A day in another time zone begins at most a day earlier or later, so evidence counts with a margin of two days.
--
-- Takes  resolved_tonight (findings_live.sql), new_file and staging_evidence
-- Fills  resolving_record (findings_records.sql)
create temporary table resolved_difference on commit drop as
select
    finding_id,
    (key).product_id,
    (key).apple_report as report_kind,
    (key).period,
    (split_part((key).period, '..', 1)::date - 2)::timestamp at time zone 'UTC' as begins_at,
    (split_part((key).period, '..', -1)::date + 3)::timestamp at time zone 'UTC' as ends_at
from resolved_tonight
where rule = 'unexplained_difference';

insert into resolving_record (about_id, kind, name, file_id, line)
select
    difference.finding_id,
    'report' as kind,
    concat_ws(' ', difference.report_kind, difference.period) as name,
    report.file_id,
    min(stated.line) as line
from resolved_difference as difference
inner join apple_report as report
    on difference.report_kind = report.kind
    and difference.period = case
        when report.period_begin = report.period_end then report.period_begin::text
        else concat_ws('..', report.period_begin, report.period_end)
    end
left join apple_report_row as stated
    on report.report_hash = stated.report_hash and difference.product_id = stated.product_id
where report.file_id in (select file_id from new_file)
group by difference.finding_id, difference.report_kind, difference.period, report.file_id
union
select
    difference.finding_id,
    'evidence',
    evidence.transaction_id,
    evidence.file_id,
    evidence.line
from (
    select distinct transaction_number
    from staging_evidence
    where exists (select 1 from resolved_difference)
) as staged
inner join evidence using (transaction_number)
inner join resolved_difference as difference
    on evidence.product_id = difference.product_id
    and (
        evidence.purchased_at >= difference.begins_at and evidence.purchased_at < difference.ends_at
        or evidence.cancelled_at >= difference.begins_at and evidence.cancelled_at < difference.ends_at
    )
where evidence.file_id in (select file_id from new_file);

drop table resolved_difference
