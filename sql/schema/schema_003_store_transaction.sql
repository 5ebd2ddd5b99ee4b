-- What Apple's receipts say, and what is known of each transaction by merging it.

-- One row for each different thing that was said of a transaction. A refreshed receipt that says the
-- same again adds no row; one that is older only makes the statement older. So the table is the same
-- whatever the order, split or repetition of the input.
create table evidence (
    environment text collate "C" not null,
    transaction_id text collate "C" not null,
    -- XXH3-128 of all that is said: every column below but evidence_at and the source.
    statement_hash uuid not null,
    -- The age of the oldest evidence that says it.
    evidence_at timestamptz not null,
    original_transaction_id text collate "C",
    product_id text collate "C" not null,
    quantity bigint,
    purchased_at timestamptz not null,
    original_purchased_at timestamptz,
    expires_at timestamptz,
    cancelled_at timestamptz,
    web_order_line_item_id text collate "C",
    is_trial boolean not null,
    is_introductory_offer boolean not null,
    is_promotional_offer boolean not null,
    is_family_shared boolean not null,
    is_upgraded boolean not null,
    -- What the customer paid for the whole quantity, in major units of the currency.
    price numeric,
    currency text collate "C",
    storefront text collate "C",
    account_id text collate "C",
    device_id text collate "C",
    -- Where the oldest evidence that says it stands.
    file_id integer not null,
    line bigint not null,

    primary key (environment, transaction_id, statement_hash)
);

-- One row for each transaction that the App Store issued: the merge of its evidence. It does not
-- depend on as-of; what a night may consider is decided when it judges (judge_member.sql).
create table store_transaction (
    environment text collate "C" not null,
    transaction_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    product_id text collate "C" not null,
    quantity bigint not null,
    -- The earliest that any evidence gives.
    first_purchased_at timestamptz not null,
    first_original_purchased_at timestamptz,
    -- What the oldest evidence gives.
    original_purchased_at timestamptz,
    expires_at timestamptz,
    -- The earliest cancellation that any evidence gives.
    cancelled_at timestamptz,
    web_order_line_item_id text collate "C",
    is_trial boolean not null,
    is_introductory_offer boolean not null,
    is_promotional_offer boolean not null,
    is_family_shared boolean not null,
    is_upgraded boolean not null,
    price numeric,
    currency text collate "C",
    -- The lowest that any evidence names.
    storefront text collate "C",
    account_ids text[] collate "C" not null,
    device_ids text[] collate "C" not null,
    -- Two pieces of evidence differ in what cannot change: product, original transaction or quantity.
    is_conflicting boolean not null,

    primary key (environment, transaction_id)
)
