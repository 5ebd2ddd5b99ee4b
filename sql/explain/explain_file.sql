-- Returns the facts about an input file: when it was loaded or why it could not be used, what it holds, whose, and what
-- it changed.
--
-- What is known from one line is in explain_file_line.sql, and the files beside it are in explain_file_neighbour.sql.
--
-- Takes  tieout.explained_name: its path in the inbox; explained_file
-- Gives  the columns of explain_group.sql
with

file as (

    select
        explained_file.folder,
        current_setting('tieout.explained_name') collate "C" as path,
        explained_file.is_withdrawn,
        explained_file.is_rejected and explained_file.records = 0 as is_unread,
        run.as_of,
        case
            when withdrawal.withdrawn_at is not null
                then format(
                    ', was withdrawn on %s (%s) and %s',
                    csv_instant(withdrawal.withdrawn_at),
                    withdrawal.because,
                    case when explained_file.is_withdrawn then 'does not count' else 'counts until tieout rebuild' end
                )
            when explained_file.is_withdrawn
                then ', was withdrawn, which was undone (the next run that finds it in the inbox loads it)'
        end as withdrawn
    from explained_file
    inner join run using (run_id)
    left join withdrawal on explained_file.sha256 = withdrawal.sha256 and withdrawal.undone_at is null
    where explained_file.run_id = explained_file.read_in

),

receipt as (

    select
        explained_file.folder,
        count(*) as pieces,
        count(distinct evidence.account_id) as accounts,
        min(evidence.purchased_at) as first_at,
        max(evidence.purchased_at) as last_at
    from explained_file
    inner join evidence using (file_id)
    group by explained_file.folder

),

log as (

    select
        explained_file.folder,
        count(*) as deliveries,
        nullif(count(*) filter (where delivery_record.status <> 'delivered'), 0) as failed,
        count(distinct delivery_record.account_id) as accounts,
        min(delivery_record.occurred_at) as first_at,
        max(delivery_record.occurred_at) as last_at
    from explained_file
    inner join delivery_record using (file_id)
    group by explained_file.folder

),

report as (

    select
        explained_file.folder,
        count(*) as records,
        count(distinct entry.account_id) as accounts,
        min(entry.reported_at) as first_at,
        max(entry.reported_at) as last_at
    from explained_file
    inner join (
        select file_id, account_id, occurred_at as reported_at
        from client_transaction
        union all
        select file_id, account_id, reported_at
        from client_invalid_product
    ) as entry using (file_id)
    where explained_file.folder = 'client'
    group by explained_file.folder

),

-- What an earlier reading rejected may count now.
refused as (

    select
        rejection.rejection_id,
        rejection.path,
        rejection.line,
        rejection.kind,
        rejection.reason,
        rejection.detail,
        1 as records
    from explained_file
    inner join rejection using (file_id)
    where explained_file.read_in <= rejection.run_id
    union all
    select null, null, null, null, null, null, rest.records
    from explained_file
    inner join rejection_rest as rest using (file_id)
    where explained_file.read_in <= rest.run_id

),

held as (

    select
        (select count(*) from explained_file inner join document using (file_id)) as documents,
        receipt.pieces,
        log.deliveries,
        log.failed,
        report.records as reports,
        greatest(receipt.accounts, log.accounts, report.accounts) as accounts,
        (select count(*) from explained_file inner join catalogue_fact using (file_id)) as catalogue_facts,
        (select count(*) from explained_file inner join apple_report_row using (file_id)) as report_rows,
        (select count(*) from explained_file inner join acknowledgement using (file_id)) as acknowledgements,
        (select sum(records) from refused) as rejected,
        least(receipt.first_at, log.first_at, report.first_at) as first_at,
        greatest(receipt.last_at, log.last_at, report.last_at) as last_at
    from file
    left join receipt using (folder)
    left join log using (folder)
    left join report using (folder)

),

reversed_entry as materialized (

    select
        entry.*,
        explained_file.file_id,
        identifier_number(entry.transaction_id) as transaction_number
    from explained_file
    inner join restated_entry as entry
        on explained_file.run_id <= entry.run_id and night_before(entry.run_id) < explained_file.run_id
    where entry.kind = 'refunded' and entry.cause = 'refund_reversed' and not entry.is_added

),

-- The refunds of published months that the file reversed, also by repeating evidence that was known.
reversal as (

    select distinct
        reversed_entry.transaction_id,
        reversed_entry.environment,
        reversed_entry.product_id,
        reversed_entry.day,
        reversed_entry.units,
        amount_words(
            nullif(reversed_entry.currency, ''),
            abs(reversed_entry.amount),
            false,
            reversed_entry.price_source = 'catalogue'
        ) as amount
    from reversed_entry
    inner join evidence
        on reversed_entry.transaction_number = evidence.transaction_number
        and reversed_entry.environment = evidence.environment
        and reversed_entry.file_id = coalesce(evidence.last_file_id, evidence.file_id)
    where shows_no_refund(evidence.is_signed_transaction, evidence.cancelled_at, evidence.is_upgraded)

),

-- Why the file could not be used as a whole.
unread as (

    select
        refused.reason,
        refused.detail
    from refused
    where refused.kind = 'file'
    order by refused.rejection_id desc
    limit 1

),

content as (

    select
        concat(
            coalesce(
                (
                    select
                        string_agg(
                            concat(number, ' ', noun, case when number <> 1 then 's' end, rest), ', ' order by place
                        )
                    from (
                        values
                        (1, held.documents, 'document', ''),
                        (2, held.pieces, 'piece', ' of evidence that came first here'),
                        (3, held.deliveries, 'delivery record', ', ' || held.failed || ' of them not delivered'),
                        (4, held.catalogue_facts, 'catalogue fact', ''),
                        (5, held.report_rows, 'row', ' of reports of Apple'),
                        (6, held.reports, 'record', ' of apps that came first here'),
                        (7, held.acknowledgements, 'acknowledgement', ''),
                        (8, held.rejected, 'rejection', '')
                    ) as counted (place, number, noun, rest)
                    where number > 0
                ),
                case when file.is_withdrawn then 'its records were taken out' else 'nothing in it was new' end
            ),
            case
                when held.first_at = held.last_at then ', dated on ' || csv_instant(held.first_at)
                else ', dated ' || csv_instant(held.first_at) || ' to ' || csv_instant(held.last_at)
            end,
            case
                when held.accounts = 1 then ', of 1 account'
                when held.accounts > 1 then format(', of %s accounts', held.accounts)
            end
        ) as words
    from file
    cross join held

),

fact as (

    select
        1 as section_place,
        'sentence' as section,
        1::bigint as place,
        file.path as name,
        case
            when file.is_unread then format(
                '%s could not be used in the night of %s%s%s%s',
                file.path,
                csv_instant(file.as_of),
                ' (' || unread.reason || ')',
                file.withdrawn,
                coalesce(': ' || unread.detail, '.')
            )
            else format(
                '%s was loaded for the night of %s%s: %s.',
                file.path,
                csv_instant(file.as_of),
                file.withdrawn,
                content.words
            )
        end as words,
        file.as_of as at,
        file.path as file,
        null::bigint as line
    from file
    cross join content
    left join unread on true
    union all
    select 3, 'rejected', row_number() over (order by rejection_id),
        kind || ' ' || reason, detail, null, path, line
    from refused
    where rejection_id is not null
    union all
    select 4, 'changed', row_number() over (order by finding.rule, finding.name), finding.name,
        format('%s %s resolved (%s%s)', finding.rule, finding.subject, replace(finding_event.cause, '_', ' '),
            ', ' || finding_event.record),
        run.as_of, finding_event.file, finding_event.line
    from explained_file
    inner join finding_event
        on explained_file.run_id = finding_event.run_id and explained_file.path = finding_event.file
    inner join finding using (finding_id)
    inner join run on finding_event.run_id = run.run_id
    union all
    select 5, 'reversed', row_number() over (order by day, transaction_id, environment), transaction_id,
        format('%s of %s on %s%s', unit_words(abs(units)), product_id, day, ' for ' || amount), null, null, null
    from reversal

)

select
    section_place,
    section,
    null as property,
    place,
    6 as length,
    name,
    words,
    null::bigint as missing,
    null::bigint as delivered,
    at,
    file,
    line
from fact
