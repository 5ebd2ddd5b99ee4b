-- The tables that the peers in PostgreSQL load into.
set client_min_messages = warning;
drop table if exists raw, entry, delivery, catalogue, member, product, price, restored, completed;

create unlogged table raw (line text compression lz4);

create unlogged table entry (
    transaction_id bigint,
    original_transaction_id bigint,
    product_id text,
    purchased_ms bigint,
    cancelled_ms bigint,
    line_item bigint,
    is_trial boolean,
    is_shared boolean,
    storefront text,
    device_id text
);

create unlogged table delivery (
    delivery_id text,
    transaction_id bigint,
    product_id text,
    status text,
    occurred_at timestamptz,
    account_id text,
    device_id text,
    server text,
    error text
);

create unlogged table catalogue (document jsonb);
