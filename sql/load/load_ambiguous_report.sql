-- Returns one row for each period about which a run has loaded reports of Apple that differ: how many, and the paths of
-- those that count (newest_apple_line in schema_apple_report.sql).
--
-- Nothing in a report says when Apple made it. A consolidated Financial Report has the same rows as those of its
-- regions, so these do not differ.
--
-- Takes  $1: the number of the run.
-- Gives  kind, first_day, last_day, reports, path
with

stated as (

    select
        report.kind,
        report.period_begin,
        report.period_end,
        case when report.kind = 'financial' then stated_row.country end as country,
        case when report.kind = 'financial' then stated_row.proceeds_currency end as currency,
        report.report_hash,
        input_file.path,
        (to_jsonb(stated_row) - array['report_hash', 'file_id', 'line'])::text as content
    from apple_report as report
    inner join input_file on report.file_id = input_file.file_id
    inner join apple_report_row as stated_row on report.report_hash = stated_row.report_hash
    where input_file.run_id = $1::bigint and report.kind in ('sales_summary', 'financial')

),

part as (

    select
        kind,
        period_begin,
        period_end,
        country,
        currency,
        report_hash,
        path,
        md5(string_agg(content, '' order by content)) as digest
    from stated
    group by kind, period_begin, period_end, country, currency, report_hash, path

),

repeated as (

    select
        kind,
        period_begin,
        period_end,
        count(distinct digest) as reports,
        (array_agg(path order by report_hash desc))[1] as path
    from part
    group by kind, period_begin, period_end, country, currency
    having count(distinct digest) > 1

)

select
    kind,
    to_char(period_begin, 'YYYY-MM-DD') as first_day,
    to_char(period_end, 'YYYY-MM-DD') as last_day,
    max(reports) as reports,
    string_agg(distinct path, ', ' order by path) as path
from repeated
group by kind, period_begin, period_end
order by kind, first_day, last_day
