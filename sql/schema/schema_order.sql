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
)::latest_first
