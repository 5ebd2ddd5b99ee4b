-- Returns what is known from one line of an input file, or from one entry of a catalogue. It returns no row if the name
-- has neither behind the path.
--
-- Takes  tieout.explained_name: the file's path in the inbox; tieout.explained: the same, or with :LINE or `, entry N`
--        behind it, as explanations show a place; explained_file
-- Gives  the columns of explain_group.sql; section: sentence
with

asked as (

    select
        case
            when name <> current_setting('tieout.explained_name')
                then substring(name from '(?::|, entry )([0-9]{1,18})$')::bigint
        end as line
    from (select current_setting('tieout.explained') as name) as named

),

-- Everything that is known from a line of the file. Records that earlier files contain too are not.
line_fact as (

    select evidence.line, 'evidence of transaction ' || evidence.transaction_id as words
    from explained_file
    inner join evidence using (file_id)
    union all
    select
        delivery_record.line,
        format('delivery %s of transaction %s', delivery_record.delivery_id, delivery_record.transaction_id)
    from explained_file
    inner join delivery_record using (file_id)
    union all
    select document.line, 'a document with the status ' || document.status
    from explained_file
    inner join document using (file_id)
    union all
    select listed.line, concat_ws(' ', 'catalogue entry', nullif(listed.product_id, ''), listed.member)
    from explained_file
    inner join catalogue_fact as listed using (file_id)
    union all
    select entry.line, format('an app''s payment queue: %s %s', entry.product_id, entry.state)
    from explained_file
    inner join client_transaction as entry using (file_id)
    where explained_file.folder = 'client'
    union all
    select report.line, format('an app''s report that %s is invalid', report.product_id)
    from explained_file
    inner join client_invalid_product as report using (file_id)
    where explained_file.folder = 'client'
    union all
    select stated.line, 'a row of Apple''s report about ' || stated.product_id
    from explained_file
    inner join apple_report_row as stated using (file_id)
    union all
    select acknowledgement.line, 'an acknowledgement of ' || acknowledgement.finding
    from explained_file
    inner join acknowledgement using (file_id)
    union all
    -- What an earlier reading rejected may count now.
    select rejection.line, 'a rejected record, ' || rejection.reason
    from explained_file
    inner join rejection using (file_id)
    where explained_file.read_in <= rejection.run_id

),

line as (

    select
        asked.line,
        (
            select string_agg(few.words, '; ' order by few.words)
            from (
                select distinct line_fact.words
                from line_fact
                where line_fact.line = asked.line
                order by line_fact.words
                limit 6
            ) as few
        ) as words,
        (select max(line_fact.line) from line_fact) as last_line,
        -- The number of a catalogue's entry is no line of its file.
        case (select max(folder) from explained_file) when 'catalog' then 'entry' else 'line' end as noun
    from asked
    where asked.line is not null

)

select
    1 as section_place,
    'sentence' as section,
    null as property,
    1::bigint as place,
    6 as length,
    current_setting('tieout.explained_name') as name,
    case
        when line.words is not null then format('%s %s: %s.', initcap(line.noun), line.line, line.words)
        else format(
            'Nothing is known from %s %s of this file%s.',
            line.noun,
            line.line,
            format('; the last %s with a known record is ', line.noun) || line.last_line
        )
    end as words,
    null::bigint as missing,
    null::bigint as delivered,
    null::timestamptz as at,
    null as file,
    line.line
from line
