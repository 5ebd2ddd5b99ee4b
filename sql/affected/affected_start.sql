-- Creates the tables for the affected names, without any name.
--
-- Leaves behind affected_transaction, affected_line_item, affected_delivery, affected_product: empty;
--               recorded_transaction, recorded_delivery: the affected names that the ledger has records of; empty, too;
--               frontier, met: the empty tables with which affected_round.sql works.

create temporary table affected_transaction (
    transaction_number bigint primary key
) on commit drop;

create temporary table affected_line_item (
    line_item_number bigint primary key
) on commit drop;

create temporary table affected_delivery (
    delivery_id text collate "C" primary key
) on commit drop;

create temporary table affected_product (
    product_id text collate "C" primary key
) on commit drop;

-- Most affected names are those of tonight's new records, which the ledger does not contain before the load.
create temporary table recorded_transaction (
    transaction_number bigint primary key
) on commit drop;

create temporary table recorded_delivery (
    delivery_id text collate "C" primary key
) on commit drop;

-- The names that the last round added: one in each row.
create temporary table frontier (
    transaction_number bigint,
    line_item_number bigint,
    delivery_id text collate "C"
) on commit drop;

-- The names of the records that have one of them.
create temporary table met (
    transaction_number bigint,
    original_number bigint,
    line_item_number bigint,
    delivery_id text collate "C"
) on commit drop
