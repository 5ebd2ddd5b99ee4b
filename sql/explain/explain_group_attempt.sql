-- Returns the attempts of a server, or with an error, that did not end in a delivery, and whose missing delivery
-- explain_group.sql does not count: how many there were in the days before as-of (cause_days), and the newest of them.
--
-- An attempt counts although its delivery is not due, another attempt delivered it, or a later attempt of its missing
-- delivery was made by another server or had another error. Of several records of a delivery the one that stands at
-- as-of counts.
--
-- Takes  tieout.explained_as: server or error; tieout.explained_name; known_transaction, placed_record
--        (carried_placed_record.sql) of explain_group_record.sql
-- Gives  the columns of explain_group.sql; the sections are sentence and attempt
with

asked as (

    select
        current_setting('tieout.explained_as') as kind,
        current_setting('tieout.explained_name') collate "C" as name

),

-- The missing deliveries that explain_group.sql counts: whose latest attempt has the server or error.
counted as materialized (

    select
        missing.product_id,
        identifier_number(missing.transaction_id) as transaction_number,
        identifier_number(missing.original_transaction_id) as original_number
    from asked
    inner join carried_missing_delivery as missing
        on case asked.kind
            when 'server' then asked.name = missing.server
            else asked.name in (missing.last_error, error_kind(missing.last_error))
        end
    where missing.reason <> 'no_records'

),

-- The records that apply.
attempted as materialized (

    select placed_record.*
    from placed_record
    cross join night
    where placed_record.own_environment = any(night.environments) and placed_record.is_standing

),

-- The transactions of the line items that attempts name.
line_item as materialized (

    select
        ledger.line_item_number,
        ledger.transaction_number,
        ledger.original_number
    from (select distinct line_item_number from attempted where line_item_number is not null) as attempt
    inner join tieout.store_transaction as ledger on attempt.line_item_number = ledger.line_item_number

),

-- What each attempt names: its transaction, its original transaction, and those that evidence gives for its transaction
-- or its line item.
named as (

    select
        delivery_id,
        product_id,
        transaction_number,
        coalesce(original_number, transaction_number) as original_number
    from attempted
    union all
    select
        attempt.delivery_id,
        attempt.product_id,
        known_transaction.transaction_number,
        known_transaction.original_number
    from attempted as attempt
    inner join known_transaction on attempt.transaction_number = known_transaction.transaction_number
    union all
    select
        attempt.delivery_id,
        attempt.product_id,
        line_item.transaction_number,
        line_item.original_number
    from attempted as attempt
    inner join line_item on attempt.line_item_number = line_item.line_item_number

),

counted_attempt as (

    -- An attempt for the transaction itself counts there, also if it was of another product.
    select named.delivery_id
    from named
    inner join counted on named.transaction_number = counted.transaction_number
    union
    select named.delivery_id
    from named
    inner join counted
        on named.product_id = counted.product_id and named.original_number = counted.original_number

),

open_attempt as materialized (

    select *
    from attempted
    where delivery_id not in (select counted_attempt.delivery_id from counted_attempt)

),

fact as (

    select
        1 as section_place,
        'sentence' as section,
        1::bigint as place,
        asked.name,
        format(
            '%s failed or did not end in the %s days before as-of, for %s.',
            case total.attempts when 1 then '1 other attempt' else total.attempts || ' other attempts' end,
            cause_days(),
            case total.transactions when 1 then '1 transaction' else total.transactions || ' transactions' end
        ) as words,
        null::timestamptz as at,
        null::integer as file_id,
        null::bigint as line
    from asked
    cross join (
        select
            count(distinct open_attempt.delivery_id) as attempts,
            count(distinct open_attempt.transaction_number) as transactions
        from open_attempt
    ) as total
    where total.attempts > 0
    union all
    select
        2,
        'attempt',
        row_number() over (order by open_attempt.occurred_at desc, open_attempt.delivery_id),
        open_attempt.transaction_id,
        concat_ws(
            ', ',
            'delivery ' || open_attempt.delivery_id || ' ' || open_attempt.status,
            open_attempt.product_id,
            'account ' || open_attempt.account_id,
            open_attempt.server,
            open_attempt.error
        ),
        open_attempt.occurred_at,
        open_attempt.file_id,
        open_attempt.line
    from open_attempt

)

select
    fact.section_place,
    fact.section,
    null as property,
    fact.place,
    6 as length,
    fact.name,
    fact.words,
    null::bigint as missing,
    null::bigint as delivered,
    fact.at,
    input_file.path as file,
    fact.line
from fact
left join input_file using (file_id)
