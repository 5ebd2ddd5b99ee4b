-- Returns one row for each thing that the explained name names: a purchase (a family, or the whole chain of a
-- subscription), a delivery without a purchase, a claim, a transaction, a finding, or the other records of apps.
--
-- Takes  asked_name, explained_finding (explain_seed.sql), looked_at, later_delivery, queue_entry
--        (explain_queue_entry.sql).
-- Gives  environment, thing_key, kind, named_as: the role of the name in it
with

-- The subject of a finding is not a transaction with the same number. The rule says what the subject is.
by_finding as (

    select
        explained_finding.finding_id,
        looked_at.environment,
        looked_at.thing_key,
        'finding' as named_as
    from explained_finding
    inner join looked_at
        on explained_finding.rule = looked_at.rule
        and explained_finding.environment = looked_at.subject_environment
        and explained_finding.subject = looked_at.subject

),

by_name as (

    select
        member.environment,
        member.obligation_key as thing_key,
        case
            when member.transaction_id = asked_name.name then 'transaction'
            when member.original_transaction_id = asked_name.name then 'original transaction'
            when member.web_order_line_item_id = asked_name.name then 'web order line item'
            when asked_name.device_id is not null then 'device'
            else 'account'
        end as named_as
    from asked_name
    inner join member
        on asked_name.name in (
            member.transaction_id, member.original_transaction_id, member.web_order_line_item_id
        )
        or asked_name.name = any(member.account_ids)
        or asked_name.device_id = any(member.device_ids)
    union
    select
        attempt.environment,
        attempt_thing(attempt.obligation_key, attempt.delivery_id),
        case
            when attempt.delivery_id = asked_name.name then 'delivery'
            when attempt.transaction_id = asked_name.name
                then case
                    when attempt.obligation_key is null or member.transaction_id is not null then 'transaction'
                    -- The delivery belongs to its purchase by another ID.
                    else 'transaction of a delivery'
                end
            when attempt.original_transaction_id = asked_name.name then 'original transaction'
            when attempt.web_order_line_item_id = asked_name.name then 'web order line item'
            when asked_name.device_id is not null then 'device'
            else 'account'
        end
    from asked_name
    inner join attempt
        on asked_name.name in (
            attempt.delivery_id,
            attempt.transaction_id,
            attempt.original_transaction_id,
            attempt.web_order_line_item_id,
            attempt.account_id
        )
        or asked_name.device_id = attempt.device_id
    left join member
        on attempt.environment = member.environment
        and attempt.obligation_key = member.obligation_key
        and attempt.transaction_id = member.transaction_id
    union
    -- A record in whose place another record of its delivery applies.
    select
        attempt.environment,
        attempt_thing(attempt.obligation_key, attempt.delivery_id),
        'ID in another record of the delivery'
    from asked_name
    inner join delivery_record
        on asked_name.name in (
            delivery_record.transaction_id,
            delivery_record.original_transaction_id,
            delivery_record.web_order_line_item_id,
            delivery_record.account_id
        )
        or asked_name.device_id = delivery_record.device_id
    inner join attempt on delivery_record.delivery_id = attempt.delivery_id
    where
        delivery_record.content_hash <> attempt.content_hash
        and coalesce(asked_name.name, asked_name.device_id) not in (
            attempt.delivery_id,
            attempt.transaction_id,
            coalesce(attempt.original_transaction_id, ''),
            coalesce(attempt.web_order_line_item_id, ''),
            coalesce(attempt.account_id, ''),
            coalesce(attempt.device_id, '')
        )
    union
    select
        claim.environment,
        coalesce(member.obligation_key, claim_thing(claim.transaction_id, claim.original_transaction_id)),
        case
            when claim.transaction_id = asked_name.name then 'transaction'
            when claim.original_transaction_id = asked_name.name then 'original transaction'
            when asked_name.device_id is not null then 'device'
            else 'account'
        end
    from asked_name
    inner join claim
        on asked_name.name in (claim.transaction_id, claim.original_transaction_id, claim.account_id)
        or asked_name.device_id = claim.device_id
    left join member
        on claim.environment = member.environment and claim.transaction_id = member.transaction_id
    where coalesce(claim.transaction_id, claim.original_transaction_id) is not null
    union
    -- Bought after as-of: loaded, but not considered yet.
    select
        store_transaction.environment,
        'transaction ' || store_transaction.transaction_id,
        case
            when asked_name.device_id is not null then 'device'
            when asked_name.name = any(store_transaction.account_ids) then 'account'
            else 'transaction'
        end
    from asked_name
    inner join store_transaction
        on identifier_number(asked_name.name) in (
            store_transaction.transaction_number,
            store_transaction.original_number,
            store_transaction.line_item_number
        )
        or asked_name.name = any(store_transaction.account_ids)
        or asked_name.device_id = any(store_transaction.device_ids)
    left join member
        on store_transaction.environment = member.environment
        and store_transaction.transaction_number = member.transaction_number
    where member.transaction_id is null
    union
    -- A delivery that is dated after as-of.
    select
        later_delivery.environment,
        later_delivery.thing_key,
        case
            when later_delivery.delivery_id = asked_name.name then 'delivery'
            when later_delivery.transaction_id = asked_name.name then 'transaction'
            when later_delivery.original_transaction_id = asked_name.name then 'original transaction'
            when later_delivery.web_order_line_item_id = asked_name.name then 'web order line item'
            when asked_name.device_id is not null then 'device'
            else 'account'
        end
    from asked_name
    inner join later_delivery
        on asked_name.name in (
            later_delivery.delivery_id,
            later_delivery.transaction_id,
            later_delivery.original_transaction_id,
            later_delivery.web_order_line_item_id,
            later_delivery.account_id
        )
        or asked_name.device_id = later_delivery.device_id
    union
    select environment, thing_key, named_as
    from queue_entry

),

every as (

    select environment, thing_key, named_as
    from by_finding
    union
    select environment, thing_key, named_as
    from by_name
    union
    -- A finding that is about no purchase, or about several, is a thing itself.
    select '', 'finding ' || explained_finding.finding_id, 'finding'
    from explained_finding
    left join (select finding_id, count(*) as things from by_finding group by finding_id) as counted using (finding_id)
    where counted.things is distinct from 1

)

select
    environment,
    thing_key,
    case
        when thing_key like 'delivery %' then 'delivery'
        when thing_key like 'later delivery %' then 'later delivery'
        when thing_key like 'claim %' then 'claim'
        when thing_key like 'transaction %' then 'transaction'
        when thing_key like 'finding %' then 'finding'
        when thing_key like 'queue %' then 'queue'
        else 'purchase'
    end as kind,
    string_agg(distinct named_as, ', ' order by named_as) as named_as
from every
group by environment, thing_key
