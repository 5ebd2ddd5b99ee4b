-- How each transaction is known, and what only signed evidence tells of it.

alter table staging_evidence
    add column trust text collate "C",
    add column is_signed_transaction boolean,
    add column product_type text collate "C",
    add column revocation_percentage integer,
    add column account_token text collate "C",
    add column dates_disagree boolean;

alter table evidence
    -- signed: Apple's signature was checked. apple_response: an archive says that Apple answered so.
    add column trust text collate "C" not null default 'apple_response',
    -- Apple signed this transaction by itself, so that it would bear its refund if there were one.
    add column is_signed_transaction boolean not null default false,
    -- The type of the product, where Apple signed it.
    add column product_type text collate "C",
    -- The part of the price that the refund gave back, in thousandths of a per cent; the largest told.
    add column revocation_percentage integer,
    -- Apple's appAccountToken: a namespace of its own, never compared with account_id.
    add column account_token text collate "C",
    -- A date in text and the same date in milliseconds differ: a sign of forgery.
    add column dates_disagree boolean not null default false,
    -- The age of the youngest evidence that says it, where that can matter: of signed transactions and
    -- of refunds.
    add column last_evidence_at timestamptz;

alter table store_transaction
    -- The strongest way in which it is known: signed before apple_response.
    add column trust text collate "C" not null default 'apple_response',
    add column product_type text collate "C",
    add column revocation_percentage integer,
    add column account_tokens text[] collate "C" not null default '{}',
    -- There is a refund, and a signed transaction that does not bear it, or two parts that were given
    -- back: judge_refund.sql decides.
    add column is_refund_questioned boolean not null default false,
    -- Unsigned evidence of it looks forged: its dates disagree, or it expires after 2090.
    add column is_suspicious boolean not null default false;

-- Both are rare, and are looked up every night.
create index store_transaction_refund_questioned on store_transaction (environment, transaction_id)
where is_refund_questioned;

create index store_transaction_suspicious on store_transaction (environment, transaction_id)
where is_suspicious
