-- Creates the tables for the names that a night reaches, without any name.
--
-- Leaves behind reached_transaction, reached_line_item, reached_delivery, reached_product: empty.

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
) on commit drop
