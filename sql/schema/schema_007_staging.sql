-- What tonight's files say, before it is merged. Filled by several connections at once, emptied by the
-- next run: unlogged, without keys.

create unlogged table staging_document (
    file_id integer, line bigint, document_hash uuid, status integer, entries integer, repeats integer
);

create unlogged table staging_evidence (
    file_id integer,
    line bigint,
    environment text collate "C",
    transaction_id text collate "C",
    statement_hash uuid,
    evidence_at timestamptz,
    original_transaction_id text collate "C",
    product_id text collate "C",
    quantity bigint,
    purchased_at timestamptz,
    original_purchased_at timestamptz,
    expires_at timestamptz,
    cancelled_at timestamptz,
    web_order_line_item_id text collate "C",
    is_trial boolean,
    is_introductory_offer boolean,
    is_promotional_offer boolean,
    is_family_shared boolean,
    is_upgraded boolean,
    price text collate "C",
    currency text collate "C",
    storefront text collate "C",
    account_id text collate "C",
    device_id text collate "C"
);

create unlogged table staging_delivery (
    file_id integer,
    line bigint,
    statement_hash uuid,
    delivery_id text collate "C",
    transaction_id text collate "C",
    product_id text collate "C",
    status text collate "C",
    occurred_at timestamptz,
    environment text collate "C",
    original_transaction_id text collate "C",
    web_order_line_item_id text collate "C",
    account_id text collate "C",
    device_id text collate "C",
    server text collate "C",
    region text collate "C",
    app_version text collate "C",
    error text collate "C",
    bytes bigint
);

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

create unlogged table staging_rejection (
    file_id integer,
    line bigint,
    kind text collate "C",
    reason text collate "C",
    detail text,
    excerpt text,
    raw bytea,
    raw_bytes bigint
)
