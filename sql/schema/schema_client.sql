-- Creates the tables of claims: what apps report, which is not evidence of money.

-- One row for each different entry of an app's payment queue.
create table client_transaction (
    -- XXH3-64 of the whole entry.
    content_hash bigint primary key,
    environment text collate "C",
    -- Failed and deferred entries have none.
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    product_id text collate "C" not null,
    state text collate "C" not null,
    -- By the device's clock.
    occurred_at timestamptz not null,
    account_id text collate "C",
    device_id text collate "C",
    app_version text collate "C",
    file_id integer not null,
    line bigint not null,

    constraint state_is_known check (state in ('purchased', 'restored', 'failed', 'deferred')),
    constraint transaction_is_named check (
        transaction_id is not null or state in ('failed', 'deferred')
    )
)
with (
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);

create index client_transaction_transaction on client_transaction (transaction_id);

create index client_transaction_original on client_transaction (original_transaction_id);

create index client_transaction_account on client_transaction (account_id)
where account_id is not null;

create index client_transaction_product on client_transaction (product_id);

-- For the newest entry, and for the days with entries.
create index client_transaction_occurred on client_transaction (occurred_at);

-- One row for each different report that the App Store called an identifier invalid.
create table client_invalid_product (
    -- XXH3-64 of the whole report.
    content_hash bigint primary key,
    product_id text collate "C" not null,
    -- By the device's clock.
    reported_at timestamptz not null,
    app_version text collate "C",
    account_id text collate "C",
    device_id text collate "C",
    file_id integer not null,
    line bigint not null
);

create index client_invalid_product_product on client_invalid_product (product_id);

create index client_invalid_product_account on client_invalid_product (account_id)
where account_id is not null;

create index client_invalid_product_reported on client_invalid_product (reported_at)
