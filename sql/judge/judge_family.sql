-- Returns one row for each family of any environment: a completed purchase together with every transaction that replays
-- it.
--
-- If a family has no completed purchase, the columns of the purchase are those of its first member, and is_completed is
-- false.
with

-- The refunds that Apple took back. A copy of the purchase under another id can still have one of them.
reversed as (

    select distinct
        environment,
        family_key,
        unnest(reversed_refunds) as refunded_at
    from member
    where reversed_refunds is not null

),

family_refund as (

    -- A family is refunded at the earliest refund of its members. That refund is an upgrade if evidence of a member
    -- that was refunded at that instant says so. Most evidence states no part: if a member states one, it counts.
    select distinct on (member.environment, member.family_key)
        member.environment,
        member.family_key,
        standing.refunded_at,
        bool_or(member.is_upgraded) over (partition by member.environment, member.family_key, standing.refunded_at)
            as is_upgrade,
        coalesce(
            max(standing.part) over (partition by member.environment, member.family_key),
            whole_refund()
        ) as percentage
    from member
    cross join unnest(member.standing_refunds, member.standing_parts) as standing (refunded_at, part)
    left join reversed
        on member.environment = reversed.environment
        and member.family_key = reversed.family_key
        and standing.refunded_at = reversed.refunded_at
    where member.standing_refunds is not null and reversed.refunded_at is null
    order by member.environment, member.family_key, standing.refunded_at

),

restore as (

    select
        environment,
        family_key,
        count(*) as restored_transactions,
        min(purchased_at) as first_restored_at,
        max(purchased_at) as last_restored_at
    from member
    where not is_completed_purchase
    group by environment, family_key

)

select
    member.environment,
    member.family_key,
    member.is_completed_purchase as is_completed,
    member.transaction_id,
    member.transaction_number,
    member.original_transaction_id,
    member.product_id,
    member.product_type,
    member.product_state,
    member.is_listed,
    member.is_configured,
    member.quantity,
    member.purchased_at,
    member.expires_at,
    member.is_trial,
    member.is_offer,
    member.price,
    member.currency,
    member.storefront,
    family_refund.refunded_at,
    coalesce(family_refund.is_upgrade, false) as is_upgrade,
    -- The part of the amount that was given back, in thousandths of a per cent.
    coalesce(family_refund.percentage, whole_refund()) as refund_percentage,
    coalesce(restore.restored_transactions, 0) as restored_transactions,
    restore.first_restored_at,
    restore.last_restored_at,
    case when member.family_key like 'w %' then substr(member.family_key, 3) end
        as web_order_line_item_id,
    -- The subject of findings about the family.
    member.original_transaction_id || ' ' || member.product_id || case left(member.family_key, 1)
        when 'w' then ' ' || substr(member.family_key, 3)
        when 'd' then ' ' || csv_instant(member.purchased_at)
        else ''
    end as subject,
    -- The disposition of its completed purchase.
    member.disposition,
    member.obligation_key
from member
left join family_refund using (environment, family_key)
left join restore using (environment, family_key)
where member.place = 1
