-- What the content server says it handed over.

-- One row for each different record of a delivery. Which of several stands depends on as-of and is
-- decided when a night judges (judge_delivery.sql).
create table delivery_record (
    delivery_id text collate "C" not null,
    -- XXH3-128 of all that the record says.
    statement_hash uuid not null,
    transaction_id text collate "C" not null,
    product_id text collate "C" not null,
    status text collate "C" not null,
    occurred_at timestamptz not null,
    environment text collate "C",
    original_transaction_id text collate "C",
    web_order_line_item_id text collate "C",
    account_id text collate "C",
    device_id text collate "C",
    server text collate "C",
    region text collate "C",
    app_version text collate "C",
    error text collate "C",
    bytes bigint,
    file_id integer not null,
    line bigint not null,

    primary key (delivery_id, statement_hash),
    constraint status_is_known check (status in ('delivered', 'failed', 'pending'))
)
