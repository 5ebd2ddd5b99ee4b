-- What a reach begins with: the environments that evidence knows, as it looks for each name in each of them,
-- and no name yet.
--
-- Leaves behind used_environment; reached_transaction, reached_line_item, reached_delivery, reached_product:
--               empty.

create temporary table reached_transaction (
    transaction_id text collate "C" primary key
) on commit drop;

create temporary table reached_line_item (
    web_order_line_item_id text collate "C" primary key
) on commit drop;

create temporary table reached_delivery (
    delivery_id text collate "C" primary key
) on commit drop;

create temporary table reached_product (
    product_id text collate "C" primary key
) on commit drop;

create temporary table used_environment (
    environment text collate "C" primary key
) on commit drop;

with recursive

-- From one environment to the next: a key that begins with few different values.
used as (

    (
        select store_transaction.environment
        from store_transaction
        order by store_transaction.environment
        limit 1
    )
    union all
    select following.environment
    from used
    cross join lateral (
        select store_transaction.environment
        from store_transaction
        where store_transaction.environment > used.environment
        order by store_transaction.environment
        limit 1
    ) as following

)

insert into used_environment (environment)
select environment from used
