-- Inserts the reports of Apple in tonight's files that the ledger does not contain yet, with all their rows.
--
-- Equal contents are one report, however the files are compressed: that of the first file.
with

inserted as (

    insert into apple_report (report_hash, file_id, kind, period_begin, period_end)
    select distinct on (report_hash)
        report_hash,
        file_id,
        kind,
        date '1970-01-01' + period_begin::integer,
        date '1970-01-01' + period_end::integer
    from staging_apple_report
    order by report_hash, file_id
    on conflict (report_hash) do nothing
    returning report_hash, file_id

)

insert into apple_report_row (
    report_hash, line, file_id, begin_on, end_on, product_id, parent_id, product_type, units, country, currency,
    customer_price, proceeds_currency, proceeds, extended_proceeds, sale_or_return, event
)
select
    report.report_hash,
    report.line,
    report.file_id,
    date '1970-01-01' + report.begin_on::integer,
    date '1970-01-01' + report.end_on::integer,
    report.product_id,
    report.parent_id,
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
