-- The deliveries with the family that each belongs to: by its transaction; else by its line item;
-- else by an original transaction and its product.
with

by_transaction as (

    select
        delivery.*,
        member.family_key,
        member.obligation_key
    from delivery
    left join member
        on delivery.environment = member.environment
        and delivery.transaction_id = member.transaction_id

),

by_line_item as (

    select
        by_transaction.delivery_id,
        family.family_key,
        family.obligation_key
    from by_transaction
    inner join family
        on by_transaction.environment = family.environment
        and 'w ' || by_transaction.web_order_line_item_id = family.family_key
    where by_transaction.family_key is null

),

by_original as (

    -- What is no subscription has one family for an original and a product; of a subscription's
    -- chain it is the latest one purchased by then.
    select distinct on (by_transaction.delivery_id)
        by_transaction.delivery_id,
        family.family_key,
        family.obligation_key
    from by_transaction
    inner join family
        on by_transaction.environment = family.environment
        and coalesce(by_transaction.original_transaction_id, by_transaction.transaction_id)
        = family.original_transaction_id
        and by_transaction.product_id = family.product_id
    where
        by_transaction.family_key is null
        and (
            family.product_type <> 'auto_renewable'
            or family.purchased_at <= by_transaction.occurred_at
        )
    order by
        by_transaction.delivery_id,
        (family.product_type <> 'auto_renewable') desc,
        family.purchased_at desc,
        length(family.transaction_id),
        family.transaction_id

)

select
    by_transaction.delivery_id,
    by_transaction.environment,
    by_transaction.environment = any(night.environments) as is_configured,
    coalesce(by_transaction.family_key, by_line_item.family_key, by_original.family_key)
        as family_key,
    coalesce(by_transaction.obligation_key, by_line_item.obligation_key, by_original.obligation_key)
        as obligation_key,
    by_transaction.transaction_id,
    by_transaction.product_id,
    by_transaction.status,
    by_transaction.occurred_at,
    by_transaction.occurred_at + coalesce(product.grace, night.grace) as grace_ends_at,
    product.product_id is not null as is_listed,
    by_transaction.original_transaction_id,
    by_transaction.web_order_line_item_id,
    by_transaction.account_id,
    by_transaction.device_id,
    by_transaction.server,
    by_transaction.region,
    by_transaction.app_version,
    by_transaction.error,
    by_transaction.bytes
from by_transaction
cross join night
left join product on by_transaction.product_id = product.product_id
left join by_line_item on by_transaction.delivery_id = by_line_item.delivery_id
left join by_original on by_transaction.delivery_id = by_original.delivery_id
