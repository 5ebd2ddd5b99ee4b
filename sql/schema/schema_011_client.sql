-- What apps report: claims, which are no evidence of money.

-- One row for each different entry of an app's payment queue.
create table client_transaction (
    -- XXH3-128 of all that the entry says.
    statement_hash uuid primary key,
    environment text collate "C",
    -- What failed or is deferred has none.
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
);

-- One row for each different report that the App Store called an identifier invalid.
create table client_invalid_product (
    -- XXH3-128 of all that the report says.
    statement_hash uuid primary key,
    product_id text collate "C" not null,
    -- By the device's clock.
    reported_at timestamptz not null,
    app_version text collate "C",
    account_id text collate "C",
    device_id text collate "C",
    file_id integer not null,
    line bigint not null
);

create unlogged table staging_client_transaction (
    file_id integer,
    line bigint,
    statement_hash uuid,
    environment text collate "C",
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    product_id text collate "C",
    state text collate "C",
    occurred_at timestamptz,
    account_id text collate "C",
    device_id text collate "C",
    app_version text collate "C"
);

create unlogged table staging_client_invalid_product (
    file_id integer,
    line bigint,
    statement_hash uuid,
    product_id text collate "C",
    reported_at timestamptz,
    app_version text collate "C",
    account_id text collate "C",
    device_id text collate "C"
);

alter table rejection drop constraint kind_is_known;
alter table rejection add constraint kind_is_known check (
    kind in ('file', 'receipt', 'transaction', 'delivery', 'catalogue', 'client')
)
