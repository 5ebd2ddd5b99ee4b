-- Returns one row for each delivery, with the family that it belongs to.
--
-- The family is found by the delivery's transaction; else by its line item; else by its original transaction and
-- product.
with

-- Few deliveries name a transaction that no receipt shows.
unplaced as materialized (

    select
        delivery.delivery_id,
        delivery.environment,
        delivery.product_id,
        delivery.occurred_at,
        'w ' || delivery.web_order_line_item_id as family_key,
        coalesce(delivery.original_transaction_id, delivery.transaction_id)
            as original_transaction_id
    from delivery
    where delivery.transaction_family_key is null

),

-- The families that these deliveries may belong to, found in one pass over all families.
near as materialized (

    select
        environment,
        family_key,
        obligation_key,
        product_id,
        product_type,
        purchased_at,
        original_transaction_id,
        transaction_id
    from family
    where
        family_key in (select family_key from unplaced where family_key is not null)
        or original_transaction_id in (select original_transaction_id from unplaced)

),

by_line_item as (

    -- At most one family for each delivery. The SQL says so explicitly, so that the planner expects few rows and holds
    -- these rows in memory, not all deliveries.
    select distinct on (unplaced.delivery_id)
        unplaced.delivery_id,
        near.family_key,
        near.obligation_key
    from unplaced
    inner join near
        on unplaced.environment = near.environment
        and unplaced.family_key = near.family_key
    order by unplaced.delivery_id

),

-- The families of each chain by purchase date. Of several families of one second, the one with the lowest id.
chain as (

    select distinct on (environment, original_transaction_id, product_id, purchased_at)
        environment,
        original_transaction_id,
        product_id,
        purchased_at,
        family_key,
        obligation_key
    from near
    where product_type = 'auto_renewable'
    order by
        environment,
        original_transaction_id,
        product_id,
        purchased_at,
        identifier_order(transaction_id)

),

-- Purchases and deliveries of each chain, sorted by time: a delivery belongs to the latest purchase before it. It is
-- one pass, because a chain can have thousands of both.
timed as (

    select
        null as delivery_id,
        environment,
        original_transaction_id,
        product_id,
        purchased_at as at,
        purchased_at
    from chain
    union all
    select
        delivery_id,
        environment,
        original_transaction_id,
        product_id,
        occurred_at,
        null
    from unplaced

),

dated as (

    select
        delivery_id,
        environment,
        original_transaction_id,
        product_id,
        max(purchased_at) over (
            partition by environment, original_transaction_id, product_id
            order by at
        ) as purchased_at
    from timed

),

found_by_original as (

    -- For products that are not subscriptions, there is one family for each original transaction and product.
    select
        unplaced.delivery_id,
        1 as place,
        near.family_key,
        near.obligation_key
    from unplaced
    inner join near
        on unplaced.environment = near.environment
        and unplaced.original_transaction_id = near.original_transaction_id
        and unplaced.product_id = near.product_id
    where near.product_type <> 'auto_renewable'
    union all
    select
        dated.delivery_id,
        2,
        chain.family_key,
        chain.obligation_key
    from dated
    inner join chain
        on dated.environment = chain.environment
        and dated.original_transaction_id = chain.original_transaction_id
        and dated.product_id = chain.product_id
        and dated.purchased_at = chain.purchased_at
    where dated.delivery_id is not null

),

by_original as (

    select distinct on (delivery_id)
        delivery_id,
        family_key,
        obligation_key
    from found_by_original
    order by delivery_id, place

)

select
    delivery.delivery_id,
    delivery.environment,
    delivery.environment = any(night.environments) as is_configured,
    coalesce(delivery.transaction_family_key, by_line_item.family_key, by_original.family_key)
        as family_key,
    coalesce(
        delivery.transaction_obligation_key, by_line_item.obligation_key, by_original.obligation_key
    ) as obligation_key,
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
    delivery.content_hash
from delivery
cross join night
left join product on delivery.product_id = product.product_id
left join by_line_item on delivery.delivery_id = by_line_item.delivery_id
left join by_original on delivery.delivery_id = by_original.delivery_id
