-- Returns one row for each event of each explained thing, in words, with its file and line, sorted by time.
--
-- Other events: explain_refund_reversal.sql, explain_date_event.sql, explain_finding_change.sql.
--
-- Takes  thing, later_delivery.
-- Gives  environment, thing_key, at, event, words, file, line, pointer
with

-- The evidence of the members of each purchase, and of transactions that are not considered yet.
piece as (

    select
        thing.thing_key,
        -- Where evidence differs, all values are shown.
        coalesce(member.is_conflicting, false) as is_conflicting,
        member.purchased_at as bought_at,
        evidence.*
    from thing
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    inner join evidence
        on member.environment = evidence.environment and member.transaction_number = evidence.transaction_number
    union all
    select
        lone.thing_key,
        false,
        null,
        evidence.*
    from (
        -- The workers of a cluster cannot look up the number of an identifier.
        select
            environment,
            thing_key,
            identifier_number(substr(thing_key, length('transaction ') + 1)) as transaction_number
        from thing
        where kind = 'transaction'
    ) as lone
    inner join evidence using (environment, transaction_number)

),

purchase_source as (

    select distinct on (environment, thing_key, transaction_id) piece.*
    from piece
    order by
        environment,
        thing_key,
        transaction_id,
        (purchased_at = bought_at or original_purchased_at = bought_at) desc,
        evidence_at,
        file_id,
        line,
        pointer

),

refund_source as (

    select distinct on (environment, thing_key, transaction_id, cancelled_at) piece.*
    from piece
    where cancelled_at is not null
    order by environment, thing_key, transaction_id, cancelled_at, evidence_at, file_id, line, pointer

),

reversal as (

    select distinct
        environment,
        family_key,
        unnest(reversed_refunds) as refunded_at
    from member

),

event as (

    -- With the oldest evidence that has its date, or else the oldest evidence.
    select
        thing.environment,
        thing.thing_key,
        member.purchased_at as at,
        case when member.disposition = 'restored' then 'restored' else 'bought' end as event,
        1 as place,
        member.transaction_id as name,
        format(
            '%s %s%s, transaction %s%s',
            case member.disposition
                when 'restored' then 'restored'
                when 'free' then 'received for free:'
                when 'family_shared' then 'shared by the family:'
                else 'bought'
            end,
            concat(nullif(member.quantity, 1) || ' x ', member.product_id),
            ' for ' || csv_amount(member.price, member.currency) || coalesce(' ' || member.currency, ''),
            member.transaction_id,
            ' of original transaction ' || nullif(member.original_transaction_id, member.transaction_id)
        ) as words,
        source.file_id,
        source.line,
        source.pointer
    from thing
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    left join purchase_source as source
        on member.environment = source.environment
        and member.obligation_key = source.thing_key
        and member.transaction_id = source.transaction_id
    union all
    select
        piece.environment,
        piece.thing_key,
        piece.evidence_at,
        'seen',
        3,
        piece.transaction_id,
        format(
            'transaction %s seen in evidence%s: %s, purchased %s%s%s%s%s',
            piece.transaction_id,
            case piece.trust when 'signed' then ' that Apple signed' end,
            piece.product_id,
            csv_instant(piece.purchased_at),
            case when piece.is_family_shared then ', no longer shared ' else ', refunded ' end
            || csv_instant(piece.cancelled_at),
            ', account ' || piece.account_id,
            ', device ' || piece.device_id,
            case
                when piece.is_conflicting
                    then concat(
                        ', original transaction ' || piece.original_transaction_id,
                        ', quantity ' || piece.quantity,
                        ', line item ' || piece.web_order_line_item_id,
                        ', price ' || csv_amount(piece.price, piece.currency) || ' ' || piece.currency
                    )
            end
        ),
        piece.file_id,
        piece.line,
        piece.pointer
    from piece
    union all
    select
        thing.environment,
        thing.thing_key,
        refund.at,
        'refunded',
        5,
        member.transaction_id,
        format(
            'transaction %s %s%s%s%s',
            member.transaction_id,
            case
                when member.is_family_shared then 'no longer shared'
                when member.disposition = 'free' then 'cancelled'
                else 'refunded'
            end,
            ' in part (' || trim_scale(nullif(refund.part, whole_refund()) * 0.001) || ' %)',
            case when member.is_upgraded then ' by an upgrade' end,
            case
                when reversal.refunded_at is not null
                    then ', which does not count: Apple reversed it under another id of this purchase'
            end
        ),
        source.file_id,
        source.line,
        source.pointer
    from thing
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    cross join unnest(member.standing_refunds, member.standing_parts) as refund (at, part)
    left join refund_source as source
        on member.environment = source.environment
        and member.obligation_key = source.thing_key
        and member.transaction_id = source.transaction_id
        and refund.at = source.cancelled_at
    left join reversal
        on member.environment = reversal.environment
        and member.family_key = reversal.family_key
        and refund.at = reversal.refunded_at
    where member.standing_refunds is not null
    union all
    select
        thing.environment,
        thing.thing_key,
        delivery_record.occurred_at,
        case delivery_record.status when 'pending' then 'attempted' else delivery_record.status end,
        4,
        delivery_record.delivery_id,
        format(
            'delivery %s %s: %s for transaction %s%s%s%s%s%s%s',
            delivery_record.delivery_id,
            case delivery_record.status when 'pending' then 'attempted, not ended' else delivery_record.status end,
            delivery_record.product_id,
            delivery_record.transaction_id,
            ', account ' || delivery_record.account_id,
            ', device ' || delivery_record.device_id,
            ', server ' || delivery_record.server,
            ', region ' || delivery_record.region,
            ', error: ' || delivery_record.error,
            case
                when delivery_record.occurred_at > night.as_of then ' (after as-of: not considered)'
                when delivery_record.content_hash <> attempt.content_hash
                    then ' (another record of it applies)'
            end
        ),
        delivery_record.file_id,
        delivery_record.line,
        null
    from thing
    cross join night
    inner join attempt
        on thing.environment = attempt.environment
        and thing.thing_key = attempt_thing(attempt.obligation_key, attempt.delivery_id)
    inner join delivery_record on attempt.delivery_id = delivery_record.delivery_id
    union all
    select
        thing.environment,
        thing.thing_key,
        later_delivery.occurred_at,
        'later',
        4,
        later_delivery.delivery_id,
        format(
            'delivery %s %s: %s for transaction %s%s (after as-of: not considered)',
            later_delivery.delivery_id,
            later_delivery.status,
            later_delivery.product_id,
            later_delivery.transaction_id,
            ', account ' || later_delivery.account_id
        ),
        later_delivery.file_id,
        later_delivery.line,
        null
    from thing
    inner join later_delivery using (environment, thing_key)
    union all
    select
        entry.named_in,
        entry.thing_key,
        entry.occurred_at,
        'claimed',
        2,
        coalesce(entry.transaction_id, ''),
        format(
            'an app''s payment queue said %s: %s%s%s%s%s',
            entry.state,
            entry.product_id,
            ', device ' || entry.device_id,
            ', app version ' || entry.app_version,
            coalesce(
                ', transaction ' || entry.transaction_id, ', original transaction ' || entry.original_transaction_id
            ),
            case when entry.occurred_at > night.as_of then ' (after as-of: not considered yet)' end
        ),
        entry.file_id,
        entry.line,
        null
    from (
        select thing.environment as named_in, thing.thing_key, queued.*
        from thing
        inner join client_transaction as queued
            on thing.thing_key = claim_thing(queued.transaction_id, queued.original_transaction_id)
        union all
        select thing.environment as named_in, thing.thing_key, queued.*
        from thing
        inner join member
            on thing.environment = member.environment and thing.thing_key = member.obligation_key
        inner join client_transaction as queued on member.transaction_id = queued.transaction_id
    ) as entry
    cross join night

)

select
    event.environment,
    event.thing_key,
    csv_instant(event.at) as at,
    event.event,
    event.words,
    input_file.path as file,
    event.line,
    event.pointer
from event
left join input_file using (file_id)
order by
    event.environment,
    event.thing_key,
    event.at,
    event.place,
    event.name,
    event.words,
    input_file.path,
    event.line,
    event.pointer
