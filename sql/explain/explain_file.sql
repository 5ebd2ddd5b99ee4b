-- Returns the facts about an input file: when it was loaded, what it holds, whose, what it changed, and how the files
-- beside it fared.
--
-- Takes  tieout.explained_name: its path in the inbox
-- Gives  the columns of explain_group.sql
with

file as (

    -- The newest content under the path comes first.
    select
        input_file.*,
        run.as_of,
        row_number() over (order by input_file.file_id desc) as place
    from input_file
    inner join run using (run_id)
    where input_file.path = current_setting('tieout.explained_name') collate "C"

),

receipt as (

    select
        file.file_id,
        count(*) as statements,
        count(distinct evidence.account_id) as accounts,
        min(evidence.purchased_at) as first_at,
        max(evidence.purchased_at) as last_at
    from file
    inner join evidence on file.file_id = evidence.file_id
    group by file.file_id

),

log as (

    select
        file.file_id,
        count(*) as deliveries,
        count(*) filter (where delivery_record.status <> 'delivered') as failed,
        count(distinct delivery_record.account_id) as accounts,
        min(delivery_record.occurred_at) as first_at,
        max(delivery_record.occurred_at) as last_at
    from file
    inner join delivery_record on file.file_id = delivery_record.file_id
    group by file.file_id

),

held as (

    select
        file.file_id,
        (select count(*) from document where document.file_id = file.file_id) as documents,
        receipt.statements,
        receipt.accounts as receipt_accounts,
        log.deliveries,
        log.failed,
        log.accounts as log_accounts,
        (
            select count(*) from catalogue_statement where catalogue_statement.file_id = file.file_id
        ) as catalogue_statements,
        (
            select count(*) from apple_report_row where apple_report_row.file_id = file.file_id
        ) as report_rows,
        (
            select coalesce(sum(rejected.records), 0)
            from (
                select 1 as records from rejection where rejection.file_id = file.file_id
                union all
                select records from rejection_rest where rejection_rest.file_id = file.file_id
            ) as rejected
        ) as rejected,
        least(receipt.first_at, log.first_at) as first_at,
        greatest(receipt.last_at, log.last_at) as last_at
    from file
    left join receipt using (file_id)
    left join log using (file_id)

),

-- The other files of the same folder that were loaded last, with what could not be used of them.
neighbour as (

    select
        other.path,
        other.bytes,
        other.is_rejected,
        run.as_of,
        row_number() over (order by other.file_id desc) as place
    from input_file as other
    inner join run using (run_id)
    where
        other.folder in (select folder from file)
        and other.path <> current_setting('tieout.explained_name') collate "C"
    order by other.file_id desc
    limit 5

),

fact as (

    select
        1 as section_place,
        'sentence' as section,
        file.place,
        file.path as name,
        format(
            '%s was loaded for the night of %s%s: %s.',
            file.path,
            csv_instant(file.as_of),
            case when file.is_withdrawn then ', is withdrawn and does not count' else '' end,
            coalesce(
                nullif(
                    concat_ws(
                        ', ',
                        nullif(held.documents, 0) || ' documents',
                        nullif(held.statements, 0) || ' statements about transactions that came first here',
                        nullif(held.deliveries, 0) || ' delivery records, ' || held.failed || ' of them not delivered',
                        nullif(held.catalogue_statements, 0) || ' catalogue statements',
                        nullif(held.report_rows, 0) || ' rows of reports of Apple',
                        nullif(held.rejected, 0) || ' rejections'
                    ),
                    ''
                ),
                'nothing in it was new'
            )
            || coalesce(', dated ' || csv_instant(held.first_at) || ' to ' || csv_instant(held.last_at), '')
            || coalesce(', of ' || nullif(greatest(held.receipt_accounts, held.log_accounts), 0) || ' accounts', '')
        ) as words,
        null::bigint as missing,
        null::bigint as delivered,
        file.as_of as at,
        file.path as file,
        null::bigint as line
    from file
    inner join held using (file_id)
    union all
    select 3, 'rejected', row_number() over (order by rejection.rejection_id),
        rejection.kind || ' ' || rejection.reason, rejection.detail, null, null, null, rejection.path, rejection.line
    from file
    inner join rejection using (file_id)
    union all
    select 4, 'changed', row_number() over (order by finding.rule, finding.name), finding.name,
        format('%s %s resolved (%s%s)', finding.rule, finding.subject, replace(finding_event.cause, '_', ' '),
            ', ' || finding_event.record),
        null, null, run.as_of, finding_event.file, finding_event.line
    from file
    inner join finding_event on file.run_id = finding_event.run_id and file.path = finding_event.file
    inner join finding using (finding_id)
    inner join run on finding_event.run_id = run.run_id
    union all
    select 5, 'healthy', place, path,
        case when is_rejected then 'could not be used as a file' else bytes || ' bytes' end,
        null, null, as_of, null, null
    from neighbour

)

select
    section,
    name,
    words,
    missing,
    delivered,
    csv_instant(at) as at,
    file,
    line
from (
    select
        fact.*,
        row_number() over (partition by section_place order by place, name) as number
    from fact
) as numbered
where number <= 6
order by section_place, number
