-- Creates the tables for the names that a night reaches, without any name.
--
-- Leaves behind reached_transaction, reached_line_item, reached_delivery, reached_product: empty;
--               frontier, met: the empty tables with which reached_round.sql works.

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

-- The names that the last round added: one in each row.
create temporary table frontier (
    transaction_id text collate "C",
    web_order_line_item_id text collate "C",
    delivery_id text collate "C"
) on commit drop;

-- The names of the records that have one of them.
create temporary table met (
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    web_order_line_item_id text collate "C",
    delivery_id text collate "C"
) on commit drop
