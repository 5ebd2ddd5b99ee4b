-- Returns one row for each transaction that the night considers, and each restore that only apps report, with its
-- family.
--
-- The key of a family is `w line-item` for a subscription, or `d original product purchase-date` if no member has a
-- line item. For any other product it is `o original product`.
with

without_line_item as materialized (

    select distinct
        environment,
        original_transaction_id
    from considered_transaction
    -- One expression: for two, the planner expects a quarter of all rows, but they are few.
    where case when web_order_line_item_id is null then product_type end = 'auto_renewable'

),

-- A subscription without a line item belongs to the family with the same original transaction, product and purchase
-- date; of several the lowest line item.
line_item as not materialized (

    select distinct on (environment, original_transaction_id, product_id, purchased_at)
        environment,
        original_transaction_id,
        product_id,
        purchased_at,
        web_order_line_item_id,
        line_item_number
    from considered_transaction as dated
    where product_type = 'auto_renewable' and web_order_line_item_id is not null
        and exists (
            select
            from without_line_item
            where
                without_line_item.environment = dated.environment
                and without_line_item.original_transaction_id = dated.original_transaction_id
        )
    order by
        environment,
        original_transaction_id,
        product_id,
        purchased_at,
        identifier_order(web_order_line_item_id)

),

with_family as not materialized (

    select
        dated.*,
        case
            when dated.product_type <> 'auto_renewable'
                then 'o ' || dated.original_transaction_id || ' ' || dated.product_id
            when coalesce(dated.web_order_line_item_id, line_item.web_order_line_item_id) is not null
                then 'w ' || coalesce(dated.web_order_line_item_id, line_item.web_order_line_item_id)
            else
                'd ' || dated.original_transaction_id || ' ' || dated.product_id || ' '
                || csv_instant(dated.purchased_at)
        end as family_key,
        -- Equal in a family, and faster to compare.
        case
            when dated.product_type = 'auto_renewable'
                then coalesce(dated.line_item_number, line_item.line_item_number, dated.original_number)
            else dated.original_number
        end as family_number
    from considered_transaction as dated
    left join line_item
        -- Null keys are skipped before the others are hashed.
        on case
            when dated.product_type = 'auto_renewable' and dated.web_order_line_item_id is null
                then dated.original_transaction_id
        end = line_item.original_transaction_id
        and dated.environment = line_item.environment
        and dated.product_id = line_item.product_id
        and dated.purchased_at = line_item.purchased_at

),

-- A restore that only apps report joins the family of a known original. Its earliest claim counts.
claimed as (

    select distinct on (claim.environment, claim.transaction_id)
        claim.environment,
        claim.transaction_id,
        claim.original_transaction_id,
        claim.product_id,
        identifier_number(claim.transaction_id) as transaction_number,
        original.product_type,
        claim.occurred_at as purchased_at,
        original.is_family_shared,
        restoring.account_ids,
        restoring.device_ids,
        original.is_configured,
        original.is_listed,
        original.delivery_per,
        product_state(
            original.is_listed,
            claim.occurred_at,
            least(claim.occurred_at, original.purchased_at, original.original_purchased_at),
            original.valid_from,
            original.valid_to
        ) as product_state,
        original.family_key,
        original.family_number
    from claim
    inner join with_family as original
        on claim.environment = original.environment
        and claim.original_transaction_id = original.transaction_id
        and claim.product_id = original.product_id
    inner join restoring
        on claim.environment = restoring.environment
        and claim.transaction_id = restoring.transaction_id
    where claim.state = 'restored' and not claim.is_known
    order by
        claim.environment,
        claim.transaction_id,
        claim.occurred_at,
        identifier_order(claim.original_transaction_id),
        claim.product_id

),

-- Most families have one member and are not sorted. Equal numbers add a few rows. Only one member can be an original.
shared_number as materialized (

    select family_number
    from with_family
    where product_type <> 'auto_renewable' and transaction_id <> original_transaction_id
    union
    select family_number
    from (
        select family_number
        from with_family
        where product_type = 'auto_renewable'
        order by family_number
    ) as subscribed
    group by family_number
    having count(*) > 1
    union
    select family_number
    from claimed

),

-- A claim has no price, line item or refund.
every as not materialized (

    select
        environment, transaction_id, transaction_number, original_transaction_id, family_key, family_number,
        product_id, product_type, product_state, is_listed, is_configured, is_family_shared, delivery_per,
        purchased_at, account_ids, device_ids, line_item_number, quantity, expires_at, standing_refunds,
        standing_parts, reversed_refunds, web_order_line_item_id, is_trial, is_offer, is_upgraded, is_conflicting,
        price, currency, storefront, account_tokens, trust, refunded_at, false as is_claimed
    from with_family
    union all
    select
        environment, transaction_id, transaction_number, original_transaction_id, family_key, family_number,
        product_id, product_type, product_state, is_listed, is_configured, is_family_shared, delivery_per,
        purchased_at, account_ids, device_ids, null::bigint as line_item_number, 1::bigint as quantity,
        null::timestamptz as expires_at, null::timestamptz[] as standing_refunds,
        null::integer[] as standing_parts, null::timestamptz[] as reversed_refunds, null as web_order_line_item_id,
        false as is_trial, false as is_offer, false as is_upgraded, false as is_conflicting,
        null::numeric as price, null as currency, null as storefront, '{}'::text[] collate "C" as account_tokens,
        'claimed' collate "C" as trust, null::timestamptz as refunded_at, true as is_claimed
    from claimed

),

sharing as (

    select
        every.environment,
        every.transaction_id,
        row_number() over family_order as place,
        first_value(every.original_transaction_id) over family_order as chain_original_id,
        first_value(every.product_id) over family_order as chain_product_id,
        first_value(every.delivery_per) over family_order as chain_delivery_per
    from every
    where exists (
        select
        from shared_number
        where shared_number.family_number = every.family_number
    )
    window family_order as (
        partition by every.environment, every.family_key
        order by
            every.is_claimed,
            purchase_first(
                every.transaction_id = every.original_transaction_id,
                every.purchased_at,
                identifier_order(every.transaction_id)
            )
    )

),

placed as (

    select
        every.*,
        case when sharing.place > 1 then null else every.line_item_number end as priced_line_item,
        coalesce(sharing.place, 1) as place,
        coalesce(sharing.chain_original_id, every.original_transaction_id) as chain_original_id,
        coalesce(sharing.chain_product_id, every.product_id) as chain_product_id,
        -- In a family of several, the value of the first member, even if that is null.
        case
            when sharing.transaction_id is null then every.delivery_per
            else sharing.chain_delivery_per
        end as chain_delivery_per
    from every
    left join sharing using (environment, transaction_id)

)

select
    placed.environment,
    family_key,
    -- The first member is the completed purchase, if the family has one.
    place,
    place = 1 and (
        transaction_id = original_transaction_id or product_type = 'auto_renewable'
    ) as is_completed_purchase,
    -- The delivery that serves it: the one of the whole chain, or the one of its own family if each period is owed.
    -- For other products, a chain is one family.
    case
        when product_type = 'auto_renewable' and chain_delivery_per = 'period' then family_key
        else 'c ' || chain_original_id || ' ' || chain_product_id
    end as obligation_key,
    disposition(
        is_configured,
        is_family_shared,
        place > 1 or transaction_id <> original_transaction_id and product_type <> 'auto_renewable',
        placed.is_trial or told.is_trial or coalesce(placed.price, told.price) = 0,
        transaction_id <> original_transaction_id
    ) as disposition,
    transaction_id,
    transaction_number,
    original_transaction_id,
    placed.product_id,
    product_type,
    product_state,
    is_listed,
    is_configured,
    quantity,
    purchased_at,
    expires_at,
    refunded_at,
    web_order_line_item_id,
    placed.is_trial or coalesce(told.is_trial, false) as is_trial,
    placed.is_offer or coalesce(told.is_offer, false) as is_offer,
    is_family_shared,
    is_upgraded,
    is_conflicting,
    coalesce(placed.price, told.price) as price,
    case when placed.price is null then coalesce(told.currency, placed.currency) else placed.currency end as currency,
    coalesce(placed.storefront, told.storefront) as storefront,
    account_ids,
    device_ids,
    account_tokens,
    trust,
    standing_refunds,
    standing_parts,
    reversed_refunds,
    is_claimed
from placed
left join line_item_price as told
    on placed.priced_line_item = told.line_item_number
    and placed.environment = told.environment
    and placed.product_id = told.product_id
