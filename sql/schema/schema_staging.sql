-- Creates the staging tables: what tonight's files say, before it is merged. Several connections fill these tables at
-- once, and the next run empties them, so they are unlogged and have no keys.
--
-- Columns that can contain a name of a customer have no statistics: those of an empty table are never made again, so a
-- forgotten name would stay in them (privacy_statistics.sql).

create unlogged table staging_document (
    file_id integer,
    line bigint,
    document_hash uuid,
    status integer
);

-- Of an identifier the number is staged, or its text if it is not its own number (schema_identifier.sql).
-- load_number.sql fills in the numbers of these.
create unlogged table staging_evidence (
    file_id integer,
    line bigint,
    pointer text collate "C",
    transaction_number bigint,
    transaction_id text collate "C",
    -- schema_usual.sql
    environment_code text collate "C",
    content_hash bigint,
    is_signed boolean,
    is_signed_transaction boolean,
    original_number bigint,
    original_transaction_id text collate "C",
    product_id text collate "C",
    product_type text collate "C",
    quantity bigint,
    purchased_at timestamptz,
    original_purchased_at timestamptz,
    expires_at timestamptz,
    cancelled_at timestamptz,
    revocation_percentage integer,
    line_item_number bigint,
    web_order_line_item_id text collate "C",
    is_trial boolean,
    is_introductory_offer boolean,
    is_promotional_offer boolean,
    is_family_shared boolean,
    is_upgraded boolean,
    price_text text collate "C",
    currency text collate "C",
    storefront text collate "C",
    account_id text collate "C",
    account_token text collate "C",
    device_id text collate "C",
    dates_disagree boolean,
    environments_disagree boolean,
    evidence_at timestamptz
);

-- Most of these are different, and the load needs no more than that from a sample.
alter table staging_evidence
    alter column transaction_number set statistics 10,
    alter column environment_code set statistics 10,
    alter column pointer set statistics 0,
    alter column account_id set statistics 0,
    alter column account_token set statistics 0,
    alter column device_id set statistics 0;

create unlogged table staging_delivery (
    file_id integer,
    line bigint,
    delivery_id text collate "C",
    content_hash bigint,
    transaction_number bigint,
    transaction_id text collate "C",
    product_id text collate "C",
    status text collate "C",
    occurred_at timestamptz,
    environment text collate "C",
    original_number bigint,
    original_transaction_id text collate "C",
    line_item_number bigint,
    web_order_line_item_id text collate "C",
    account_id text collate "C",
    device_id text collate "C",
    server text collate "C",
    region text collate "C",
    app_version text collate "C",
    error text collate "C",
    bytes bigint,
    -- Null for 0.
    revision integer
);

alter table staging_delivery
    alter column delivery_id set statistics 10,
    alter column account_id set statistics 0,
    alter column device_id set statistics 0,
    alter column error set statistics 0;

-- The staged rows with the columns of stored_evidence and stored_delivery.
create view staged_evidence as
select
    staging_evidence.*,
    recorded_product.product_number,
    staging_evidence.price_text::numeric as price
from staging_evidence
inner join recorded_product on staging_evidence.product_id = recorded_product.product_id;

create view staged_delivery as
select
    staging_delivery.*,
    recorded_product.product_number,
    status_code(staging_delivery.status) as status_code
from staging_delivery
inner join recorded_product on staging_delivery.product_id = recorded_product.product_id;

create unlogged table staging_client_transaction (
    file_id integer,
    line bigint,
    content_hash bigint,
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

alter table staging_client_transaction
    alter column account_id set statistics 0,
    alter column device_id set statistics 0;

create unlogged table staging_client_invalid_product (
    file_id integer,
    line bigint,
    content_hash bigint,
    product_id text collate "C",
    reported_at timestamptz,
    app_version text collate "C",
    account_id text collate "C",
    device_id text collate "C"
);

alter table staging_client_invalid_product
    alter column account_id set statistics 0,
    alter column device_id set statistics 0;

create unlogged table staging_catalogue (
    file_id integer,
    line bigint,
    product_id text collate "C",
    member text collate "C",
    currency text collate "C",
    storefront text collate "C",
    price_from timestamptz,
    value text collate "C"
);

create unlogged table staging_acknowledgement (
    file_id integer,
    line bigint,
    content_hash bigint,
    finding text collate "C",
    -- Midnight UTC of the day.
    until_at timestamptz,
    because text,
    acknowledged_by text,
    -- The record itself, as a rejection shows and keeps it.
    excerpt text,
    raw bytea,
    raw_bytes bigint
);

alter table staging_acknowledgement
    alter column because set statistics 0,
    alter column acknowledged_by set statistics 0,
    alter column excerpt set statistics 0,
    alter column raw set statistics 0;

create unlogged table staging_apple_report (
    file_id integer,
    line bigint,
    report_hash uuid,
    kind text collate "C",
    -- Days are counted since 1970-01-01.
    period_begin bigint,
    period_end bigint,
    begin_on bigint,
    end_on bigint,
    product_id text collate "C",
    product_type text collate "C",
    units bigint,
    country text collate "C",
    currency text collate "C",
    customer_price text collate "C",
    proceeds_currency text collate "C",
    proceeds text collate "C",
    extended_proceeds text collate "C",
    sale_or_return text collate "C",
    event text collate "C"
);

create unlogged table staging_rejection (
    file_id integer,
    line bigint,
    kind text collate "C",
    reason text collate "C",
    detail text,
    excerpt text,
    raw bytea,
    raw_bytes bigint,
    -- The order of the rejections of a file: the number of the block times 2^32, plus the number of the rejection in
    -- the block; for a rejected acknowledgement its line. Missing in a row that only counts others.
    place bigint,
    records bigint
);

alter table staging_rejection
    alter column detail set statistics 0,
    alter column excerpt set statistics 0,
    alter column raw set statistics 0;

-- Whether a table must be analyzed after the load from a staging table: it has grown much (grown_part), or it was never
-- analyzed.
create function needs_analyze(staged regclass, kept regclass) returns boolean
language sql stable parallel safe
return
    grown_part() * pg_relation_size(staged) > pg_relation_size(kept)
    or (select reltuples < 0 from pg_class where oid = kept)
