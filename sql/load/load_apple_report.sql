-- Notes the content of each report of Apple in tonight's files, and inserts the reports that the ledger does not
-- contain yet, with all their rows.
--
-- Equal contents are one report, however the files are compressed: that of the first file. The order of the reports
-- does not depend on which of these files are withdrawn.
update input_file
set report_hash = staged.report_hash
from (
    select distinct
        file_id,
        report_hash
    from staging_apple_report
) as staged
where input_file.file_id = staged.file_id and input_file.report_hash is null;

with

inserted as (

    insert into apple_report (report_hash, file_id, run_id, kind, period_begin, period_end, is_whole)
    select
        staged.report_hash,
        min(staged.file_id),
        (
            select min(one.run_id)
            from (
                select input_file.run_id
                from input_file
                where input_file.report_hash = staged.report_hash
                -- So that the few files of the report are looked up. Otherwise, min reads all files by their runs.
                offset 0
            ) as one
        ),
        min(staged.kind),
        date '1970-01-01' + min(staged.period_begin)::integer,
        date '1970-01-01' + min(staged.period_end)::integer,
        min(staged.kind) <> 'financial' or count(distinct staged.proceeds_currency) > 1
    from staging_apple_report as staged
    group by staged.report_hash
    on conflict (report_hash) do nothing
    returning report_hash, file_id

)

insert into apple_report_row (
    report_hash, line, file_id, begin_on, end_on, product_id, product_type, units, country, currency,
    customer_price, proceeds_currency, proceeds, extended_proceeds, sale_or_return, event
)
select
    report.report_hash,
    report.line,
    report.file_id,
    date '1970-01-01' + report.begin_on::integer,
    date '1970-01-01' + report.end_on::integer,
    report.product_id,
    report.product_type,
    report.units,
    report.country,
    report.currency,
    report.customer_price::numeric,
    report.proceeds_currency,
    report.proceeds::numeric,
    report.extended_proceeds::numeric,
    report.sale_or_return,
    report.event
from staging_apple_report as report
inner join inserted on report.report_hash = inserted.report_hash and report.file_id = inserted.file_id
