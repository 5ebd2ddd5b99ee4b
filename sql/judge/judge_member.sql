-- The transactions that the night considers: those purchased by as-of, each with its product's state
-- and the family that it is a member of.
--
-- Families of what is no subscription are `o original product`; families of subscriptions are
-- `w line-item`, or, where no member bears one, `d original product purchase-date`.
with

considered as (

    select
        store_transaction.environment,
        store_transaction.transaction_id,
        store_transaction.original_transaction_id,
        store_transaction.product_id,
        store_transaction.quantity,
        coalesce(
            product.type,
            case
                when
                    store_transaction.expires_at is not null
                    or store_transaction.web_order_line_item_id is not null
                    then 'auto_renewable'
                else 'non_consumable'
            end
        ) as product_type,
        -- Evidence can date a restored purchase anew while its id stays.
        case
            when
                store_transaction.transaction_id = store_transaction.original_transaction_id
                and coalesce(
                    product.type <> 'auto_renewable',
                    store_transaction.expires_at is null
                    and store_transaction.web_order_line_item_id is null
                )
                then least(
                    store_transaction.first_purchased_at, store_transaction.first_original_purchased_at
                )
            else store_transaction.first_purchased_at
        end as purchased_at,
        store_transaction.original_purchased_at,
        case
            when store_transaction.cancelled_at <= night.as_of then store_transaction.cancelled_at
        end as refunded_at,
        store_transaction.web_order_line_item_id,
        store_transaction.is_trial,
        store_transaction.is_introductory_offer or store_transaction.is_promotional_offer as is_offer,
        store_transaction.is_family_shared,
        store_transaction.is_upgraded,
        store_transaction.is_conflicting,
        store_transaction.price,
        store_transaction.currency,
        store_transaction.storefront,
        store_transaction.account_ids,
        store_transaction.device_ids,
        store_transaction.environment = any(night.environments) as is_configured,
        product.product_id is not null as is_listed,
        product.valid_from,
        product.valid_to,
        product.delivery_per,
        night.as_of
    from store_transaction
    cross join night
    left join product on store_transaction.product_id = product.product_id

),

dated as (

    select
        considered.*,
        case
            when not considered.is_listed then 'unknown'
            when considered.purchased_at < considered.valid_from then 'not_yet_valid'
            when
                least(considered.purchased_at, considered.original_purchased_at) >= considered.valid_to
                then 'expired'
            else 'valid'
        end as product_state
    from considered
    where considered.purchased_at <= considered.as_of

),

-- A subscription without a line item belongs to the family with the same original transaction,
-- product and purchase date; of several the one with the lowest line item.
line_item as (

    select distinct on (environment, original_transaction_id, product_id, purchased_at)
        environment,
        original_transaction_id,
        product_id,
        purchased_at,
        web_order_line_item_id
    from dated
    where product_type = 'auto_renewable' and web_order_line_item_id is not null
        and exists (
            select
            from dated as without_line_item
            where
                without_line_item.product_type = 'auto_renewable'
                and without_line_item.web_order_line_item_id is null
                and without_line_item.environment = dated.environment
                and without_line_item.original_transaction_id = dated.original_transaction_id
        )
    order by
        environment,
        original_transaction_id,
        product_id,
        purchased_at,
        length(web_order_line_item_id),
        web_order_line_item_id

),

with_family as (

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
        end as family_key
    from dated
    left join line_item
        on dated.product_type = 'auto_renewable'
        and dated.web_order_line_item_id is null
        and dated.environment = line_item.environment
        and dated.original_transaction_id = line_item.original_transaction_id
        and dated.product_id = line_item.product_id
        and dated.purchased_at = line_item.purchased_at

),

-- Most families have one member, and need no order.
shared_family as (

    select environment, family_key
    from with_family
    group by environment, family_key
    having count(*) > 1

),

placed as (

    select
        with_family.*,
        1 as place,
        with_family.original_transaction_id as chain_original_id,
        with_family.product_id as chain_product_id,
        with_family.delivery_per as chain_delivery_per
    from with_family
    where not exists (
        select
        from shared_family
        where
            shared_family.environment = with_family.environment
            and shared_family.family_key = with_family.family_key
    )
    union all
    select
        with_family.*,
        row_number() over family_order,
        first_value(with_family.original_transaction_id) over family_order,
        first_value(with_family.product_id) over family_order,
        first_value(with_family.delivery_per) over family_order
    from with_family
    inner join shared_family using (environment, family_key)
    window family_order as (
        partition by with_family.environment, with_family.family_key
        order by
            (with_family.transaction_id = with_family.original_transaction_id) desc,
            with_family.purchased_at,
            length(with_family.transaction_id),
            with_family.transaction_id
    )

)

select
    environment,
    family_key,
    -- The first member is the completed purchase, if the family has one.
    place,
    place = 1 and (
        transaction_id = original_transaction_id or product_type = 'auto_renewable'
    ) as is_completed_purchase,
    -- Whose delivery serves it: that of the whole chain, or, where each period is owed, its own
    -- family's. What is no subscription is a chain of one family. Where some evidence of an identifier
    -- without a catalogued type looks like a subscription and some does not, both are one chain.
    case
        when product_type = 'auto_renewable' and chain_delivery_per = 'period' then family_key
        else 'c ' || chain_original_id || ' ' || chain_product_id
    end as obligation_key,
    -- Each transaction has exactly one: the first that fits.
    case
        when not is_configured then 'other_environment'
        when is_family_shared then 'family_shared'
        when
            place > 1 or transaction_id <> original_transaction_id and product_type <> 'auto_renewable'
            then 'restored'
        when is_trial or price = 0 then 'free'
        when product_type = 'auto_renewable' and transaction_id <> original_transaction_id
            then 'renewal'
        else 'purchase'
    end as disposition,
    transaction_id,
    original_transaction_id,
    product_id,
    product_type,
    product_state,
    is_listed,
    is_configured,
    quantity,
    purchased_at,
    original_purchased_at,
    refunded_at,
    web_order_line_item_id,
    is_trial,
    is_offer,
    is_family_shared,
    is_upgraded,
    is_conflicting,
    price,
    currency,
    storefront,
    account_ids,
    device_ids
from placed
