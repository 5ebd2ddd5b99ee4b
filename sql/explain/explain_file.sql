-- Returns the facts about an input file: when it was loaded, what it holds, whose, what it changed, and how the files
-- beside it fared. With a line behind the path: what is known from that line first.
--
-- Takes  tieout.explained_name: its path in the inbox; tieout.explained: the same, or with :LINE behind it
-- Gives  the columns of explain_group.sql
with

-- Of several files that had this path, the newest one that counts. A file that was read again because a setting had
-- changed has several numbers.
part as (

    select
        input_file.*,
        max(input_file.run_id) over () as read_in
    from (
        select
            sha256,
            folder
        from input_file
        where path = current_setting('tieout.explained_name') collate "C"
        order by is_withdrawn, file_id desc
        limit 1
    ) as newest
    inner join input_file using (sha256, folder)

),

file as (

    select
        part.sha256,
        part.folder,
        current_setting('tieout.explained_name') collate "C" as path,
        part.records,
        part.is_withdrawn,
        run.as_of,
        withdrawal.withdrawn_at,
        withdrawal.because
    from part
    inner join run using (run_id)
    left join withdrawal on part.sha256 = withdrawal.sha256 and withdrawal.undone_at is null
    where part.run_id = part.read_in

),

receipt as (

    select
        part.folder,
        count(*) as pieces,
        count(distinct evidence.account_id) as accounts,
        min(evidence.purchased_at) as first_at,
        max(evidence.purchased_at) as last_at
    from part
    inner join evidence using (file_id)
    group by part.folder

),

log as (

    select
        part.folder,
        count(*) as deliveries,
        nullif(count(*) filter (where delivery_record.status <> 'delivered'), 0) as failed,
        count(distinct delivery_record.account_id) as accounts,
        min(delivery_record.occurred_at) as first_at,
        max(delivery_record.occurred_at) as last_at
    from part
    inner join delivery_record using (file_id)
    group by part.folder

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
    from part
    inner join rejection using (file_id)
    where part.read_in <= rejection.run_id
    union all
    select null, null, null, null, null, null, rest.records
    from part
    inner join rejection_rest as rest using (file_id)
    where part.read_in <= rest.run_id

),

held as (

    select
        (select count(*) from part inner join document using (file_id)) as documents,
        receipt.pieces,
        log.deliveries,
        log.failed,
        greatest(receipt.accounts, log.accounts) as accounts,
        (select count(*) from part inner join catalogue_fact using (file_id)) as catalogue_facts,
        (select count(*) from part inner join apple_report_row using (file_id)) as report_rows,
        (select sum(records) from refused) as rejected,
        least(receipt.first_at, log.first_at) as first_at,
        greatest(receipt.last_at, log.last_at) as last_at
    from file
    left join receipt using (folder)
    left join log using (folder)

),

asked as (

    select
        case
            when name <> current_setting('tieout.explained_name')
                then substring(name from ':([0-9]{1,18})$')::bigint
        end as line
    from (select current_setting('tieout.explained') as name) as named

),

-- Everything that is known from a line of the file. Records that earlier files contain too are not.
told as (

    select
        evidence.line,
        'evidence of transaction ' || evidence.transaction_id as words
    from part
    inner join evidence using (file_id)
    union all
    select
        delivery_record.line,
        format('delivery %s of transaction %s', delivery_record.delivery_id, delivery_record.transaction_id)
    from part
    inner join delivery_record using (file_id)
    union all
    select
        document.line,
        'a document with the status ' || document.status
    from part
    inner join document using (file_id)
    union all
    select
        listed.line,
        concat_ws(' ', 'catalogue entry', nullif(listed.product_id, ''), listed.member)
    from part
    inner join catalogue_fact as listed using (file_id)
    union all
    select
        entry.line,
        format('an app''s payment queue: %s %s', entry.product_id, entry.state)
    from part
    inner join client_transaction as entry using (file_id)
    where part.folder = 'client'
    union all
    select
        report.line,
        format('an app''s report that %s is invalid', report.product_id)
    from part
    inner join client_invalid_product as report using (file_id)
    where part.folder = 'client'
    union all
    select
        stated.line,
        'a row of Apple''s report about ' || stated.product_id
    from part
    inner join apple_report_row as stated using (file_id)
    union all
    select
        refused.line,
        'a rejected record, ' || refused.reason
    from refused

),

line as (

    select
        asked.line,
        (
            select string_agg(few.words, '; ' order by few.words)
            from (
                select distinct told.words
                from told
                where told.line = asked.line
                order by told.words
                limit 6
            ) as few
        ) as words,
        (select max(told.line) from told) as last_line
    from asked
    where asked.line is not null

),

-- The other files of the same folder: those that had the same path, and those that were loaded last.
neighbour as (

    select
        other.path,
        concat(
            case when other.path = file.path then 'another file of this path, ' end,
            case when other.is_withdrawn then 'withdrawn, ' end,
            case when other.is_rejected then 'could not be used as a file' else other.bytes || ' bytes' end
        ) as words,
        run.as_of,
        row_number() over (order by other.path = file.path desc, other.file_id desc) as place
    from file
    inner join input_file as other on file.folder = other.folder and file.sha256 <> other.sha256
    inner join run on other.run_id = run.run_id

),

fact as (

    select
        1 as section_place,
        'sentence' as section,
        1::bigint as place,
        file.path as name,
        format(
            '%s%s was loaded for the night of %s%s: %s.',
            case
                when line.words is not null then format('Line %s: %s. ', line.line, line.words)
                when line.line is not null
                    then format(
                        'Nothing is known from line %s of this file%s. ',
                        line.line,
                        coalesce('; the last line with a known record is ' || line.last_line, '')
                    )
            end,
            file.path,
            csv_instant(file.as_of),
            case
                when file.withdrawn_at is not null
                    then format(
                        ', was withdrawn on %s (%s) and %s',
                        csv_instant(file.withdrawn_at),
                        file.because,
                        case when file.is_withdrawn then 'does not count' else 'counts until tieout rebuild' end
                    )
                when file.is_withdrawn then ', is withdrawn and does not count'
            end,
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
                        (6, case file.folder when 'client' then file.records end, 'record', ' of apps'),
                        (7, held.rejected, 'rejection', '')
                    ) as counted (place, number, noun, rest)
                    where number > 0
                ),
                case when file.is_withdrawn then 'its records were taken out' else 'nothing in it was new' end
            )
            || coalesce(', dated ' || csv_instant(held.first_at) || ' to ' || csv_instant(held.last_at), '')
            || case
                when held.accounts = 1 then ', of 1 account'
                when held.accounts > 1 then format(', of %s accounts', held.accounts)
                else ''
            end
        ) as words,
        file.as_of as at,
        file.path as file,
        null::bigint as line
    from file
    cross join held
    left join line on true
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
    from part
    inner join finding_event on part.run_id = finding_event.run_id and part.path = finding_event.file
    inner join finding using (finding_id)
    inner join run on finding_event.run_id = run.run_id
    union all
    select 5, 'healthy', place, path,
        words, as_of, null, null
    from neighbour

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
