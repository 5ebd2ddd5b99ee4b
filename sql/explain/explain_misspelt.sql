-- Returns transactions, line items, deliveries and accounts whose name differs from the explained name in one digit, or
-- in the order of two characters beside each other: what an unknown name may stand for. At most three of each kind.
--
-- A digit can be another one, missing, or too many. It uses indexes only.
--
-- Takes  tieout.explained
-- Gives  kind: transaction, web order line item, delivery or account; name
with

asked as (

    select
        named.name,
        generate_series(1, length(named.name) + 1) as place
    from (select current_setting('tieout.explained') collate "C" as name) as named
    -- A shorter name is similar to many others.
    where length(named.name) between 6 and 100

),

digit as (select number::text as digit from generate_series(0, 9) as every (number)),

candidate as materialized (

    select
        every.name,
        identifier_number(every.name) as number
    from (
        select left(asked.name, asked.place - 1) || digit.digit || substr(asked.name, asked.place + 1) as name
        from asked
        cross join digit
        where substr(asked.name, asked.place, 1) ~ '[0-9]'
        union
        select left(asked.name, asked.place - 1) || substr(asked.name, asked.place + 1)
        from asked
        where substr(asked.name, asked.place, 1) ~ '[0-9]'
        union
        select left(asked.name, asked.place - 1) || digit.digit || substr(asked.name, asked.place)
        from asked
        cross join digit
        union
        select
            left(asked.name, asked.place - 1)
            || reverse(substr(asked.name, asked.place, 2))
            || substr(asked.name, asked.place + 2)
        from asked
        where asked.place < length(asked.name)
    ) as every

),

-- Each table is joined by itself: it may be on other machines.
known as (

    select 1 as place, 'transaction' as kind, candidate.name
    from candidate
    inner join tieout.store_transaction as ledger on candidate.number = ledger.transaction_number
    union
    select 1, 'transaction', candidate.name
    from candidate
    inner join tieout.store_transaction as ledger on candidate.number = ledger.original_number
    union
    select 1, 'transaction', candidate.name
    from candidate
    inner join tieout.delivery_record as record on candidate.number = record.transaction_number
    union
    select 2, 'web order line item', candidate.name
    from candidate
    inner join tieout.store_transaction as ledger on candidate.number = ledger.line_item_number
    union
    select 3, 'delivery', candidate.name
    from candidate
    inner join tieout.delivery_record as record on candidate.name = record.delivery_id
    union
    select 4, 'account', candidate.name
    from candidate
    inner join tieout.evidence on candidate.name = evidence.account_id
    union
    select 4, 'account', candidate.name
    from candidate
    inner join tieout.delivery_record as record
        -- As in the index stored_delivery_account.
        on hashtext(candidate.name) = hashtext(record.account_id) and candidate.name = record.account_id

)

select
    numbered.kind,
    numbered.name
from (
    select
        known.*,
        row_number() over (partition by known.kind order by known.name) as number
    from known
) as numbered
where numbered.number <= 3
order by numbered.place, numbered.name
