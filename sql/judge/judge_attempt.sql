-- The deliveries with the family that each belongs to: by its transaction; else by its line item;
-- else by an original transaction and its product.
with

by_transaction as (

    select
        delivery.delivery_id,
        member.family_key
    from delivery
    inner join member
        on delivery.environment = member.environment
        and delivery.transaction_id = member.transaction_id

),

by_line_item as (

    select
        delivery.delivery_id,
        family.family_key
    from delivery
    inner join family
        on delivery.environment = family.environment
        and 'w ' || delivery.web_order_line_item_id = family.family_key
    where not exists (
        select from by_transaction where by_transaction.delivery_id = delivery.delivery_id
    )

),

unplaced as (

    select
        delivery.*,
        coalesce(delivery.original_transaction_id, delivery.transaction_id) as presented_id
    from delivery
    where
        not exists (
            select from by_transaction where by_transaction.delivery_id = delivery.delivery_id
        )
        and not exists (
            select from by_line_item where by_line_item.delivery_id = delivery.delivery_id
        )

),

by_original as (

    -- What is no subscription has one family for an original and a product; of a subscription's
    -- chain it is the latest one purchased by then.
    select distinct on (unplaced.delivery_id)
        unplaced.delivery_id,
        family.family_key
    from unplaced
    inner join family
        on unplaced.environment = family.environment
        and unplaced.presented_id = family.original_transaction_id
        and unplaced.product_id = family.product_id
    where
        family.product_type <> 'auto_renewable'
        or family.purchased_at <= unplaced.occurred_at
    order by
        unplaced.delivery_id,
        (family.product_type <> 'auto_renewable') desc,
        family.purchased_at desc,
        length(family.transaction_id),
        family.transaction_id

),

belonging as (

    select delivery_id, family_key from by_transaction
    union all
    select delivery_id, family_key from by_line_item
    union all
    select delivery_id, family_key from by_original

)

select
    delivery.delivery_id,
    delivery.environment,
    delivery.environment = any(night.environments) as is_configured,
    belonging.family_key,
    family.obligation_key,
    delivery.transaction_id,
    delivery.product_id,
    delivery.status,
    delivery.occurred_at,
    delivery.occurred_at + coalesce(product.grace, night.grace) as grace_ends_at,
    product.product_id is not null as is_listed,
    delivery.original_transaction_id,
    delivery.web_order_line_item_id,
    delivery.account_id,
    delivery.device_id,
    delivery.server,
    delivery.region,
    delivery.app_version,
    delivery.error,
    delivery.bytes
from delivery
cross join night
left join belonging on delivery.delivery_id = belonging.delivery_id
left join family
    on delivery.environment = family.environment and belonging.family_key = family.family_key
left join product on delivery.product_id = product.product_id
