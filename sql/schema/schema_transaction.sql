-- Creates the table of transactions: what is known about each of them.

-- One row for each transaction that the App Store issued: the merge of its evidence. It does not depend on as-of;
-- a night decides what it considers when it judges (judge_member.sql).
create table store_transaction (
    transaction_id text collate "C" not null,
    environment text collate "C" not null,
    -- The strongest trust of any evidence: signed before apple_response.
    trust text collate "C" not null,
    original_transaction_id text collate "C" not null,
    product_id text collate "C" not null,
    product_type text collate "C",
    quantity bigint not null,
    -- The earliest in any evidence.
    first_purchased_at timestamptz not null,
    first_original_purchased_at timestamptz,
    -- The one in the oldest evidence.
    original_purchased_at timestamptz,
    expires_at timestamptz,
    -- The earliest cancellation in any evidence.
    cancelled_at timestamptz,
    -- The largest in any evidence, in thousandths of a per cent.
    revocation_percentage integer,
    web_order_line_item_id text collate "C",
    is_trial boolean not null,
    is_introductory_offer boolean not null,
    is_promotional_offer boolean not null,
    is_family_shared boolean not null,
    is_upgraded boolean not null,
    price numeric,
    currency text collate "C",
    -- The lowest in any evidence.
    storefront text collate "C",
    account_ids text[] collate "C" not null,
    account_tokens text[] collate "C" not null,
    device_ids text[] collate "C" not null,
    -- Two pieces of evidence differ in what cannot change: product, original transaction or quantity.
    is_conflicting boolean not null,
    -- There is a refund, and also a signed transaction without it, or evidence of two different parts that were
    -- given back: judge_refund.sql decides.
    is_refund_questioned boolean not null,
    -- Unsigned evidence of it looks forged: its dates disagree, or it expires after 2090.
    is_suspicious boolean not null,

    primary key (transaction_id, environment)
)
with (
    -- A transaction that is merged again is written again.
    fillfactor = 90,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);

-- No SQL statement joins or filters by these sets, and sampling them took a third of the time of an analyze.
alter table store_transaction
    alter column account_ids set statistics 0,
    alter column account_tokens set statistics 0,
    alter column device_ids set statistics 0;

-- A night goes from one record to the next by the names that they share.
create index store_transaction_original on store_transaction (original_transaction_id);

create index store_transaction_line_item on store_transaction (web_order_line_item_id)
where web_order_line_item_id is not null;

create index store_transaction_product on store_transaction (product_id);

-- Both are rare, and each night looks them up.
create index store_transaction_refund_questioned on store_transaction (transaction_id, environment)
where is_refund_questioned;

create index store_transaction_suspicious on store_transaction (transaction_id, environment)
where is_suspicious
