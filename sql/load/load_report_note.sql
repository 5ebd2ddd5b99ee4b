-- Returns what the reports of Apple that a run has loaded say differently: from each other (`ambiguous`), or from an
-- earlier report that counted (`replaced`). One row for each period and report that counts: those of different regions
-- replace different reports.
--
-- Nothing in a report says when Apple made it. A consolidated Financial Report has the same rows as those of its
-- regions, so these do not differ. Which reports count is said in schema_apple_report.sql: a whole report also says
-- something about a country and currency that it does not name.
--
-- Takes  $1: the number of the run.
-- Gives  note, kind, first_day, last_day; reports: how many differ; path: the one that counts; earlier_path: those that
--        counted before
with

report as (

    select
        apple_report.report_hash,
        apple_report.kind,
        apple_report.period_begin,
        apple_report.period_end,
        apple_report.run_id,
        apple_report.is_whole,
        input_file.path
    from apple_report
    inner join input_file on apple_report.file_id = input_file.file_id
    where
        apple_report.run_id <= $1::bigint
        and (apple_report.kind, apple_report.period_begin, apple_report.period_end) in (
            select
                newer.kind,
                newer.period_begin,
                newer.period_end
            from apple_report as newer
            where newer.run_id = $1::bigint and newer.kind in ('sales_summary', 'financial')
        )

),

stated as (

    select
        line.report_hash,
        line.country,
        line.currency,
        md5(string_agg(line.content, '' order by line.content)) as digest
    from (
        select
            report.report_hash,
            case when report.kind = 'financial' then coalesce(stated_row.country, '') else '' end as country,
            case when report.kind = 'financial' then coalesce(stated_row.proceeds_currency, '') else '' end as currency,
            (to_jsonb(stated_row) - array['report_hash', 'file_id', 'line'])::text as content
        from report
        inner join apple_report_row as stated_row on report.report_hash = stated_row.report_hash
    ) as line
    group by line.report_hash, line.country, line.currency

),

cell as (

    select distinct
        report.kind,
        report.period_begin,
        report.period_end,
        stated.country,
        stated.currency
    from report
    inner join stated on report.report_hash = stated.report_hash

),

said as (

    select
        cell.kind,
        cell.period_begin,
        cell.period_end,
        cell.country,
        cell.currency,
        report.path,
        report.run_id = $1::bigint as is_new,
        coalesce(stated.digest, '') as digest,
        row_number() over (
            partition by
                cell.kind, cell.period_begin, cell.period_end, cell.country, cell.currency, report.run_id = $1::bigint
            order by report.run_id desc, report.report_hash desc
        ) as place
    from cell
    inner join report
        on
            cell.kind = report.kind
            and cell.period_begin = report.period_begin
            and cell.period_end = report.period_end
    left join stated
        on
            report.report_hash = stated.report_hash
            and cell.country = stated.country
            and cell.currency = stated.currency
    where report.is_whole or stated.digest is not null

),

cell_comparison as (

    select
        kind,
        period_begin,
        period_end,
        count(distinct digest) filter (where is_new) as reports,
        max(path) filter (where is_new and place = 1) as path,
        max(path) filter (where not is_new and place = 1) as earlier_path,
        max(digest) filter (where is_new and place = 1)
        <> max(digest) filter (where not is_new and place = 1) as is_replaced
    from said
    group by kind, period_begin, period_end, country, currency

)

select
    note.note,
    cell_comparison.kind,
    to_char(cell_comparison.period_begin, 'YYYY-MM-DD') as first_day,
    to_char(cell_comparison.period_end, 'YYYY-MM-DD') as last_day,
    max(cell_comparison.reports) as reports,
    cell_comparison.path,
    string_agg(distinct cell_comparison.earlier_path, ', ' order by cell_comparison.earlier_path) as earlier_path
from cell_comparison
cross join lateral (
    select 'ambiguous' as note
    where cell_comparison.reports > 1
    union all
    select 'replaced'
    where cell_comparison.is_replaced
) as note
group by
    note.note, cell_comparison.kind, cell_comparison.period_begin, cell_comparison.period_end, cell_comparison.path
order by note.note, cell_comparison.kind, first_day, last_day, cell_comparison.path
