-- Returns the kinds of names that the explained name can be if no index knows it (explain_kind.sql).
--
--   product  a product that is only in Apple's reports, or in findings that are not resolved
--   error    an error text of an attempt in the days before as-of (cause_days), with or without its numbers and ids; a
--            single word with a digit, such as 503, only if an attempt has exactly this text
--   finding  a record that is not known any more, of which findings are known, such as one of a withdrawn file
--
-- It reads the delivery records of these days, the findings, and Apple's reports.
--
-- Takes  tieout.explained
-- Gives  the columns of explain_kind.sql; at most twenty findings, the newest
with

asked as (

    select
        named.name,
        identifier_number(named.name) as number,
        error_kind(named.name) as error_kind,
        night.causes_since as since,
        first_file_since(night.causes_since) as first_file_id
    from (select current_setting('tieout.explained') collate "C" as name) as named
    cross join night
    where named.name <> ''

),

logged as (

    (
        select case asked.error_kind when '#' then asked.name else asked.error_kind end as error
        from asked
        inner join delivery_record
            on asked.first_file_id <= delivery_record.file_id
            and asked.since <= delivery_record.occurred_at
            and asked.error_kind = error_kind(delivery_record.error)
        where
            delivery_record.status <> 'delivered'
            -- Most unknown names are long numbers, which are no error texts.
            and (asked.number is null or length(asked.name) <= 10)
            -- Any single word with a digit has the kind #, also an id.
            and (asked.error_kind <> '#' or asked.name in ('#', delivery_record.error))
        limit 1
    )

),

newest as (

    select finding.name
    from asked
    inner join finding
        on asked.name in (
            (finding.key).transaction_id,
            (finding.key).original_transaction_id,
            (finding.key).web_order_line_item_id,
            (finding.key).delivery_id
        )
        or asked.name = any((finding.key).account_ids)
    order by finding.changed_run_id desc, finding.name
    limit 20

)

select 2 as place, 'product' as kind, name
from asked
where
    exists (select 1 from apple_report_row where apple_report_row.product_id = asked.name)
    or exists (
        select 1
        from finding
        where finding.status <> 'resolved' and (finding.key).product_id = asked.name
    )
union all
select 6, 'error', error
from logged
union all
select 7, 'finding', string_agg(name, chr(10) order by name)
from newest
having count(*) > 0
order by place
