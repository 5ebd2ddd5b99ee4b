-- Creates the functions that say which of several comes first, wherever several SQL statements need the same order.

-- The levels of findings, the most severe first. Level sorts in the same order (NightPage+Worst.swift).
create function severity(level text) returns integer
language sql immutable parallel safe
return case level when 'error' then 1 when 'warning' then 2 else 3 end;

-- Identifiers in the order of their numbers: Apple's are decimals, so the shorter one comes first. The order of bytes
-- depends on no collation. decode() gives the bytes of the text (schema_finding.sql).
create function identifier_order(identifier text) returns bytea
language sql immutable parallel safe
return int4send(length(identifier)) || decode(replace(identifier, '\', '\\'), 'escape');

-- Attempts to deliver, the latest first. In one second the order is delivered, failed, pending (alphabetical), then the
-- lowest delivery.
create type latest_first as (
    time_before interval,
    status text collate "C",
    delivery_id text collate "C"
);

create function latest_first(occurred_at timestamptz, status text, delivery_id text) returns latest_first
language sql immutable parallel safe
return row(
    timestamptz '2000-01-01T00:00:00Z' - latest_first.occurred_at, latest_first.status, latest_first.delivery_id
)::latest_first;

-- Members of a family: the first one is its completed purchase. It is its own original transaction, or else the
-- earliest, or else the one with the lowest id.
create type purchase_first as (
    is_no_original boolean,
    purchased_at timestamptz,
    identifier_order bytea
);

create function purchase_first(
    is_original boolean, purchased_at timestamptz, identifier_order bytea
) returns purchase_first
language sql immutable parallel safe
return row(
    not purchase_first.is_original, purchase_first.purchased_at, purchase_first.identifier_order
)::purchase_first;

-- Completed purchases of a chain: the first one represents the chain. It is the earliest that was not refunded, or, if
-- all were refunded, the latest.
create type representative_first as (
    is_refunded boolean,
    distance interval,
    identifier_order bytea
);

create function representative_first(
    refunded_at timestamptz, purchased_at timestamptz, transaction_id text
) returns representative_first
language sql immutable parallel safe
return row(
    representative_first.refunded_at is not null,
    case
        when representative_first.refunded_at is null
            then representative_first.purchased_at - timestamptz '2000-01-01T00:00:00Z'
        else timestamptz '2000-01-01T00:00:00Z' - representative_first.purchased_at
    end,
    identifier_order(representative_first.transaction_id)
)::representative_first;

-- Records of one delivery: the one that applies comes first. It has the highest revision, then the latest time, then
-- the status delivered, failed, pending (alphabetical), then the smaller values. Identifiers are compared as numbers,
-- and a missing value is smaller than all others.
create type standing_first as (
    revision_before bigint,
    time_before interval,
    status text collate "C",
    transaction_id bytea,
    product_id text collate "C",
    environment text collate "C",
    original_transaction_id bytea,
    web_order_line_item_id bytea,
    account_id text collate "C",
    device_id text collate "C",
    server text collate "C",
    region text collate "C",
    app_version text collate "C",
    error text collate "C",
    bytes bigint
);

create function standing_first(
    revision integer,
    occurred_at timestamptz,
    status text,
    transaction_id text,
    product_id text,
    environment text,
    original_transaction_id text,
    web_order_line_item_id text,
    account_id text,
    device_id text,
    server text,
    region text,
    app_version text,
    error text,
    bytes bigint
) returns standing_first
language sql immutable parallel safe
return row(
    -coalesce(standing_first.revision, 0)::bigint,
    timestamptz '2000-01-01T00:00:00Z' - standing_first.occurred_at,
    standing_first.status,
    identifier_order(standing_first.transaction_id),
    standing_first.product_id,
    coalesce(standing_first.environment, ''),
    coalesce(identifier_order(standing_first.original_transaction_id), ''),
    coalesce(identifier_order(standing_first.web_order_line_item_id), ''),
    coalesce(standing_first.account_id, ''),
    coalesce(standing_first.device_id, ''),
    coalesce(standing_first.server, ''),
    coalesce(standing_first.region, ''),
    coalesce(standing_first.app_version, ''),
    coalesce(standing_first.error, ''),
    coalesce(standing_first.bytes, -1)
)::standing_first
