-- What a night carries forward, so that the next one need judge only what it touches: the open items of
-- the statements, and the sums that they close with. sql/carried/ says what each row is; a night takes
-- out of it what the transactions that it touches stood for, and puts in what they stand for now.
-- `tieout recompute` makes all of it anew.

-- The night that it speaks of: one row, or none where the next night has to judge everything.
create table judged (
    is_the_only_one boolean primary key default true check (is_the_only_one),
    run_id bigint not null references run,
    -- Of the statements that judged: other ones judge everything again.
    statements text not null
);

-- judge_log_instant.sql
create table carried_log_instant (
    occurred_at timestamptz primary key,
    attempts bigint not null
);

-- judge_invalid_report.sql
create table carried_invalid_report (
    product_id text collate "C" primary key,
    reports bigint not null,
    devices bigint not null,
    accounts bigint not null,
    app_versions text[] collate "C",
    first_reported_at timestamptz not null,
    last_reported_at timestamptz not null
);

create table carried_missing_delivery (
    environment text collate "C" not null,
    obligation_key text collate "C" not null,
    subject text collate "C" not null,
    transaction_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    product_id text collate "C" not null,
    account_id text collate "C",
    purchased_at timestamptz not null,
    due_at timestamptz not null,
    reason text collate "C" not null,
    attempts bigint not null,
    last_attempt_at timestamptz,
    last_error text collate "C",

    primary key (environment, obligation_key)
);

create table carried_surplus_restore (
    environment text collate "C" not null,
    family_key text collate "C" not null,
    subject text collate "C" not null,
    original_transaction_id text collate "C" not null,
    product_id text collate "C" not null,
    web_order_line_item_id text collate "C",
    purchase_transaction_id text collate "C",
    restored_transactions bigint not null,
    allowed_transactions bigint not null,
    first_restored_at timestamptz not null,
    last_restored_at timestamptz not null,
    deliveries bigint not null,
    accounts bigint not null,
    devices bigint not null,
    restored_transaction_ids text collate "C" not null,

    primary key (environment, family_key)
);

create table carried_invalid_sighting (
    kind text collate "C" not null,
    environment text collate "C" not null,
    -- The transaction's id, or the delivery's.
    record_id text collate "C" not null,
    product_id text collate "C" not null,
    reason text collate "C" not null,
    transaction_id text collate "C" not null,
    seen_at timestamptz not null,
    account_ids text[] collate "C" not null,

    primary key (kind, environment, record_id)
);

create table carried_shared_family (
    environment text collate "C" not null,
    family_key text collate "C" not null,
    -- Empty for accounts.
    namespace text collate "C" not null,
    subject text collate "C" not null,
    accounts bigint not null,

    primary key (environment, family_key, namespace)
);

create table carried_client_restore (
    app_version text collate "C" not null,
    device_id text collate "C" not null,
    occurred_at timestamptz not null,
    restores bigint not null,

    primary key (occurred_at, app_version, device_id)
);

create table carried_revenue (
    day date not null,
    product_id text collate "C" not null,
    product_type text collate "C" not null,
    product_state text collate "C" not null,
    storefront text collate "C" not null,
    currency text collate "C" not null,
    price_source text collate "C" not null,
    amount_scale integer not null,
    refund_scale integer not null,
    -- How many purchases and refunds the sums are of.
    entries bigint not null,
    units_sold bigint not null,
    gross numeric,
    units_refunded bigint not null,
    refunds numeric,
    net numeric,
    units_upgraded bigint not null,

    primary key (
        day, product_id, product_type, product_state, storefront, currency, price_source, amount_scale,
        refund_scale
    )
);

create table carried_total (
    section text collate "C" not null,
    measure text collate "C" not null,
    value bigint not null,

    primary key (section, measure)
);

create table carried_due (
    transaction_id text collate "C" not null,
    at timestamptz not null,

    primary key (at, transaction_id)
);

-- What a night touches is reached from one record to the next by the names that they share.
create index store_transaction_original on store_transaction (original_transaction_id);
create index store_transaction_line_item on store_transaction (web_order_line_item_id)
where web_order_line_item_id is not null;
create index store_transaction_product on store_transaction (product_id);
create index delivery_record_transaction on delivery_record (transaction_id);
create index delivery_record_original on delivery_record (original_transaction_id)
where original_transaction_id is not null;
create index delivery_record_line_item on delivery_record (web_order_line_item_id)
where web_order_line_item_id is not null;
create index delivery_record_product on delivery_record (product_id);
create index client_transaction_transaction on client_transaction (transaction_id);
create index client_transaction_original on client_transaction (original_transaction_id);
create index client_transaction_product on client_transaction (product_id);
create index client_invalid_product_product on client_invalid_product (product_id);
create index client_invalid_product_reported on client_invalid_product (reported_at)
