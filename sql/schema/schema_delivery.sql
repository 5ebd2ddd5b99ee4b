-- Creates the table of delivery records: what the content server says that it delivered.
--
-- The table contains numbers of identifiers and products; the view delivery_record has their texts.

-- One row for each different record of a delivery. Which one of several applies depends on as-of; a night decides
-- that when it judges (judge_delivery.sql). The order of the columns is explained in schema_evidence.sql.
create table stored_delivery (
    occurred_at timestamptz not null,
    line bigint not null,
    -- schema_identifier.sql
    transaction_number bigint not null,
    file_id integer not null,
    -- schema_product.sql
    product_number integer not null,
    -- XXH3-64 of the whole record.
    content_hash bigint not null,
    -- A later correction of the record has a higher one. Null for 0, which nearly every record has.
    revision integer,
    original_number bigint,
    line_item_number bigint,
    bytes bigint,
    delivery_id text collate "C" not null,
    -- schema_usual.sql
    status_code text collate "C" not null,
    environment text collate "C",
    account_id text collate "C",
    device_id text collate "C",
    server text collate "C",
    region text collate "C",
    app_version text collate "C",
    error text collate "C",

    primary key (delivery_id, content_hash),
    constraint status_is_known check (status_code in ('', 'failed', 'pending'))
)
with (
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);

-- No SQL statement joins or filters by these.
alter table stored_delivery
    alter column server set statistics 0,
    alter column region set statistics 0,
    alter column app_version set statistics 0,
    alter column error set statistics 0,
    alter column bytes set statistics 0,
    alter column revision set statistics 0,
    alter column line set statistics 0;

-- A night goes from one record to the next by the names that they share.
create index stored_delivery_transaction on stored_delivery (transaction_number);

create index stored_delivery_original on stored_delivery (original_number)
where original_number is not null;

create index stored_delivery_line_item on stored_delivery (line_item_number)
where line_item_number is not null;

-- For the question whether a server failed for several accounts in one hour.
create index stored_delivery_failed on stored_delivery (server, occurred_at)
where status_code = 'failed' and server is not null;

-- For the delivered deliveries of an account and product by time (carried_near_delivery.sql). The status is in it, so
-- that failed attempts are skipped. `tieout explain` looks up accounts by it too. Hashes of the texts make it half as
-- large; every query compares the texts as well.
create index stored_delivery_account on stored_delivery (
    hashtext(account_id), hashtext(status_code || product_number::text), occurred_at
)
where account_id is not null;

-- For what `tieout explain` says about a file, as in schema_evidence.sql.
create index stored_delivery_file on stored_delivery using brin (file_id)
with (pages_per_range = 16, autosummarize = on);

-- The environment that a delivery or a claim belongs to. One without an environment belongs to Sandbox if only a
-- sandbox transaction has its id.
create function own_environment(environment text, is_sandbox_only boolean) returns text
language sql immutable parallel safe
return coalesce(environment, case when is_sandbox_only then 'Sandbox' else 'Production' end);

create view delivery_record as
select
    occurred_at,
    line,
    file_id,
    coalesce(revision, 0) as revision,
    content_hash,
    delivery_id,
    transaction_number,
    identifier_text(transaction_number) collate "C" as transaction_id,
    product_number,
    -- Looked up only if a query uses it. A join would be planned with each query.
    (
        select recorded_product.product_id
        from recorded_product
        where recorded_product.product_number = stored_delivery.product_number
    ) as product_id,
    status_code,
    status_name(status_code) as status,
    environment,
    original_number,
    identifier_text(original_number) collate "C" as original_transaction_id,
    line_item_number,
    identifier_text(line_item_number) collate "C" as web_order_line_item_id,
    account_id,
    device_id,
    server,
    region,
    app_version,
    error,
    bytes
from stored_delivery
