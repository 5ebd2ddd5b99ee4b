-- Returns the kinds of names that the explained name can be, in the order in which they are explained.
--
--   cell     a row of tie_out.csv by its name, as in findings.csv, or the name of the finding about it
--   record   a transaction, delivery, web order line item or account, or the name of a finding
--   product  a product identifier
--   server   a server of the delivery log
--   file     the path of an input file; with :LINE or `, entry N` behind it, as explanations show a place
--   month    a month, such as 2026-10; with a product behind it, or a product and a currency, if it has or had sales of
--            them
--   period   a closed period that is not named as a month, such as 2026-10-01..2026-10-15; the same can be behind it
--   error    an error text of the delivery log, with or without its numbers and ids; a single word with a digit, such
--            as 503, only if the log has exactly this text
--   finding  the subject of findings, as reports show it
--
-- It uses indexes only, unless the name contains a symbol such as ␀, which a CSV report writes instead of a control
-- character; no index has such a subject. explain_other_kind.sql looks for a name that it does not know.
--
-- Takes  tieout.explained
-- Gives  kind, name: as the tables contain it; of a finding the names of all findings with that subject, one on each
--        line
with

asked as (

    select
        named.name,
        identifier_number(named.name) as number,
        -- Any single word with a digit has the kind #, also an id.
        case error_kind(named.name) when '#' then named.name else error_kind(named.name) end as error,
        regexp_replace(named.name, '(:|, entry )[0-9]+$', '') as path,
        finding_beginning(named.name) as finding
    from (select current_setting('tieout.explained') collate "C" as name) as named

),

-- A row if the name is that of a record. Each table is joined by itself: it may be on other machines.
held_record as (

    (
        select asked.name
        from asked
        inner join store_transaction on asked.number = store_transaction.transaction_number
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join store_transaction on asked.number = store_transaction.original_number
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join store_transaction on asked.number = store_transaction.line_item_number
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join delivery_record on asked.name = delivery_record.delivery_id
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join delivery_record on asked.number = delivery_record.transaction_number
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join delivery_record on asked.number = delivery_record.original_number
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join delivery_record on asked.number = delivery_record.line_item_number
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join delivery_record
            on hashtext(asked.name) = hashtext(delivery_record.account_id)
            and asked.name = delivery_record.account_id
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join evidence on asked.name = evidence.account_id
        limit 1
    )

),

held_product as (

    (
        select asked.name
        from asked
        inner join recorded_product on asked.name = recorded_product.product_id
        inner join store_transaction on recorded_product.product_number = store_transaction.product_number
        limit 1
    )
    union all
    (
        select asked.name
        from asked
        inner join recorded_product on asked.name = recorded_product.product_id
        inner join delivery_record on recorded_product.product_number = delivery_record.product_number
        limit 1
    )

),

kind as (

    -- explain_cell_row.sql says whether there is such a row.
    select 0 as place, 'cell' as kind, name
    from asked
    where
        name ~ ' (sales_summary|financial) [0-9]{4}-[0-9]{2}-[0-9]{2}(\.\.[0-9]{4}-[0-9]{2}-[0-9]{2})?( |$)'
        and exists (select 1 from apple_report)
    union all
    select 0, 'cell', min(finding.subject)
    from asked
    inner join finding on finding_name_begins(finding.name, asked.finding)
    having count(*) = 1 and min(finding.rule) = 'unexplained_difference' and min(finding.status) <> 'resolved'
    union all
    select 1, 'record', name
    from asked
    where
        exists (select 1 from held_record)
        or exists (select 1 from client_transaction where client_transaction.transaction_id = asked.name)
        or exists (select 1 from client_transaction where client_transaction.original_transaction_id = asked.name)
        or exists (select 1 from client_transaction where client_transaction.account_id = asked.name)
        or exists (select 1 from finding where finding_name_begins(finding.name, asked.finding))
    union all
    select 2, 'product', name
    from asked
    where
        name <> ''
        and (
            exists (select 1 from catalogue_fact where catalogue_fact.product_id = asked.name)
            or exists (select 1 from held_product)
            or exists (select 1 from client_invalid_product where client_invalid_product.product_id = asked.name)
            or exists (select 1 from client_transaction where client_transaction.product_id = asked.name)
        )
    union all
    select 3, 'server', name
    from asked
    where
        exists (select 1 from carried_source_hour where carried_source_hour.server = asked.name)
        or exists (select 1 from carried_missing_delivery where carried_missing_delivery.server = asked.name)
    union all
    select 4, 'file', min(held.path)
    from (
        select input_file.path
        from asked
        inner join input_file on input_file.path in (asked.name, asked.path)
        union all
        -- A file that could not be read.
        select asked.name
        from asked
        where exists (select 1 from rejection where rejection.path = asked.name and rejection.kind = 'file')
    ) as held
    having count(*) > 0
    union all
    select 5, 'month', name
    from asked
    where
        name ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'
        or name ~ '^[0-9]{4}-(0[1-9]|1[0-2]) '
        -- It has, or had, sales or refunds of the product and in the currency that are asked for.
        and exists (
            select 1
            from (
                select carried_month.month as day, carried_month.product_id, carried_month.currency
                from carried_month
                union all
                select day, product_id, currency
                from month_change
            ) as entry
            where
                to_char(entry.day, 'YYYY-MM') = left(asked.name, 7)
                and substring(asked.name from 9) in (entry.product_id, entry.product_id || ' ' || entry.currency)
        )
    union all
    select 5, 'period', asked.name
    from asked
    inner join period_closing as closing
        on split_part(asked.name, ' ', 1) = closing.period and closing.reopened_at is null
    where
        closing.period !~ '^[0-9]{4}-[0-9]{2}$'
        and (
            asked.name = closing.period
            or exists (
                select 1
                from period_amount as entry
                where
                    entry.closing_id = closing.closing_id
                    and entry.origin_closing_id = closing.closing_id
                    and substr(asked.name, length(closing.period) + 2)
                    in (entry.product_id, entry.product_id || ' ' || entry.currency)
            )
            or exists (
                select 1
                from restated_entry as entry
                where
                    entry.day between closing.first_day and closing.last_day
                    and substr(asked.name, length(closing.period) + 2)
                    in (entry.product_id, entry.product_id || ' ' || entry.currency)
            )
        )
    union all
    select 6, 'error', error
    from asked
    where
        exists (select 1 from carried_served where carried_served.error = asked.error)
        or exists (
            select 1
            from carried_missing_delivery
            where asked.error in (carried_missing_delivery.last_error, error_kind(carried_missing_delivery.last_error))
        )

),

-- A CSV report puts an apostrophe in front of some subjects, and shows pictures of control characters (csv_text).
by_subject as (

    select string_agg(named.name, chr(10) order by named.name) as names
    from (
        select finding.name
        from asked
        inner join finding
            on finding.subject_hash in (text_hash(asked.name), text_hash(substr(asked.name, 2)))
            and (finding.subject = asked.name or csv_text(finding.subject) = asked.name)
        union
        select finding.name
        from asked
        inner join finding on asked.name = csv_text(finding.subject)
        where asked.name ~ '[\u2401-\u2421\u2426]'
    ) as named

)

select 7 as place, 'finding' as kind, names as name
from by_subject
where names is not null
union all
select place, kind, name
from kind
order by place
