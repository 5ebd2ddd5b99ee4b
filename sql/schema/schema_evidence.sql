-- Creates the table of evidence: what Apple's receipts and signed documents say about transactions.
--
-- The table contains numbers of identifiers and products; the view evidence has their texts.
--
-- The table has two partitions. Most transactions have one piece of evidence, which is the whole merge: they are in
-- lone_evidence, and nothing is stored twice. The others are in differing_evidence, and merged_transaction
-- (schema_transaction.sql) has their merge.

-- One row for each different piece of evidence about a transaction. A refreshed receipt that repeats a piece adds no
-- row; it only changes the ages of the piece. So the table is the same for every order, split and repetition of
-- the input.
--
-- The transaction comes first in the key, here and in merged_transaction: almost all rows have the same environment.
--
-- Columns of a fixed size come first, those that every row has before the others. There they need little padding, and
-- the server knows where each of them begins. The rows are a twentieth smaller, and reading all of them takes a quarter
-- less time.
create table stored_evidence (
    purchased_at timestamptz not null,
    -- The age of the oldest document that contains the piece.
    evidence_at timestamptz not null,
    -- The place of the oldest document that contains it.
    line bigint not null,
    -- schema_identifier.sql
    transaction_number bigint not null,
    file_id integer not null,
    -- schema_product.sql
    product_number integer not null,
    -- XXH3-64 of the piece: every other column but the ages and the source.
    content_hash bigint not null,
    -- Apple's signature was checked. Otherwise an archive says that Apple answered this.
    is_signed boolean not null,
    -- Apple signed this transaction by itself, so it would contain its refund if there were one, except an upgrade.
    is_signed_transaction boolean not null,
    is_trial boolean not null,
    is_introductory_offer boolean not null,
    is_promotional_offer boolean not null,
    is_family_shared boolean not null,
    is_upgraded boolean not null,
    -- A date in text and the same date in milliseconds differ: a sign of forgery.
    dates_disagree boolean not null,
    -- The answer names one environment as its own, and another one as the type of its receipt.
    environments_disagree boolean not null,
    -- The piece is the only one about its transaction. Permanently false after there was another one, and for
    -- unsigned pieces since only signed ones count (load_trust.sql).
    is_lone boolean not null,
    -- At most a thousand million.
    quantity integer,
    original_number bigint,
    line_item_number bigint,
    original_purchased_at timestamptz,
    expires_at timestamptz,
    cancelled_at timestamptz,
    -- The age of the youngest document that contains it, of signed transactions and of refunds; only for these can
    -- it matter.
    last_evidence_at timestamptz,
    -- The part of the price that the refund gave back, in thousandths of a per cent.
    revocation_percentage integer,
    -- The file of that youngest document; null or file_id if it is file_id.
    last_file_id integer,
    -- schema_usual.sql
    environment_code text collate "C" not null,
    account_id text collate "C",
    device_id text collate "C",
    storefront text collate "C",
    -- The amount that the customer paid for the whole quantity, in major units of the currency.
    price numeric,
    currency text collate "C",
    -- The type of the product, if Apple signed it.
    product_type text collate "C",
    -- Apple's appAccountToken. It is never compared with account_id.
    account_token text collate "C",
    -- The JSON pointer (RFC 6901) of the document in the record of that line. Null if the record is the document.
    -- Also null if names are hashed or an account was forgotten, because a member's name may name a person.
    pointer text collate "C"
)
partition by list (is_lone);

create table lone_evidence partition of stored_evidence (
    primary key (transaction_number, environment_code)
)
for values in (true)
with (
    -- An update within the row's page leaves the indexes alone: repeated signed evidence gets new ages.
    fillfactor = 95,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);

create table differing_evidence partition of stored_evidence (
    primary key (transaction_number, environment_code, content_hash)
)
for values in (false)
with (
    fillfactor = 95,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);

-- A load analyzes what it has changed. Columns that no SQL statement joins or filters by need no sample.
alter table stored_evidence
    alter column quantity set statistics 0,
    alter column storefront set statistics 0,
    alter column account_token set statistics 0,
    alter column line set statistics 0,
    alter column pointer set statistics 0;

-- A night goes from one record to the next by the names that they share. A chain is the original transaction, or the
-- transaction itself if the evidence names none. Every SQL statement must use this expression to find it.
create index lone_evidence_chain on lone_evidence (coalesce(original_number, transaction_number));

create index lone_evidence_line_item on lone_evidence (line_item_number)
where line_item_number is not null;

-- For what `tieout explain` says about an account. It sorts the account's purchases by date: with the date in it, the
-- index was three times as large.
create index lone_evidence_account on lone_evidence (account_id)
where account_id is not null;

create index differing_evidence_account on differing_evidence (account_id)
where account_id is not null;

-- For what it says about a file. Rows are inserted in the order of files, so this index has a few pages.
create index lone_evidence_file on lone_evidence using brin (file_id)
with (pages_per_range = 16, autosummarize = on);

create index differing_evidence_file on differing_evidence using brin (file_id)
with (pages_per_range = 16, autosummarize = on);

-- Whether a piece of evidence is a signed transaction without a refund, which can take a refund back
-- (judge_refund.sql). The transaction of an upgrade takes none back, because it can lack the date of its refund.
create function shows_no_refund(is_signed_transaction boolean, cancelled_at timestamptz, is_upgraded boolean)
returns boolean
language sql immutable parallel safe
return is_signed_transaction and cancelled_at is null and not is_upgraded;

-- Whether a piece of evidence looks forged (rule_suspicious_receipt.sql).
create function looks_forged(
    is_signed boolean, dates_disagree boolean, environments_disagree boolean, expires_at timestamptz
) returns boolean
language sql immutable parallel safe
return not is_signed and (dates_disagree or environments_disagree or coalesce(expires_at >= far_expiry(), false));

create view evidence as
select
    purchased_at,
    evidence_at,
    line,
    file_id,
    content_hash,
    is_signed_transaction,
    is_trial,
    is_introductory_offer,
    is_promotional_offer,
    is_family_shared,
    is_upgraded,
    dates_disagree,
    environments_disagree,
    is_lone,
    transaction_number,
    identifier_text(transaction_number) collate "C" as transaction_id,
    environment_code,
    environment_name(environment_code) as environment,
    case when is_signed then 'signed' else 'apple_response' end collate "C" as trust,
    product_number,
    -- As in the view delivery_record.
    (
        select recorded_product.product_id
        from recorded_product
        where recorded_product.product_number = stored_evidence.product_number
    ) as product_id,
    original_number,
    identifier_text(original_number) collate "C" as original_transaction_id,
    line_item_number,
    identifier_text(line_item_number) collate "C" as web_order_line_item_id,
    account_id,
    device_id,
    storefront,
    price,
    currency,
    quantity::bigint as quantity,
    original_purchased_at,
    expires_at,
    cancelled_at,
    revocation_percentage,
    last_evidence_at,
    last_file_id,
    product_type,
    account_token,
    pointer
from stored_evidence
