-- Creates the tables of carried data: the open items of the statements and their sums.
--
-- A night carries them forward, so that the next night judges only the affected records. The file of sql/carried/ or
-- sql/judge/ with a table's name says what its rows are. A night removes what the affected transactions
-- contributed before, and adds what they contribute now. `tieout recompute` makes all of it again.

-- One row for the night that the carried data is about; no row if the next night must judge everything.
create table judged (
    is_the_only_one boolean primary key default true check (is_the_only_one),
    run_id bigint not null references run,
    -- Of the program that judged. If another program judges, everything is judged again.
    fingerprint text not null
);

create table carried_missing_delivery (
    environment text collate "C" not null,
    obligation_key text collate "C" not null,
    subject text collate "C" not null,
    transaction_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    product_id text collate "C" not null,
    product_type text collate "C",
    account_id text collate "C",
    purchased_at timestamptz not null,
    due_at timestamptz not null,
    reason text collate "C" not null,
    attempts bigint not null,
    last_attempt_at timestamptz,
    last_error text collate "C",
    -- From the latest attempt, if there is one.
    server text collate "C",
    region text collate "C",
    app_version text collate "C",
    -- The best possible match (carried_possible_match.sql).
    possible_match_delivery_id text collate "C",
    possible_match_differs text collate "C",
    -- The purchase that is owed: its quantity, and what it cost. Without an amount there is no currency.
    quantity bigint not null,
    amount numeric,
    -- Rows are compared by value, and 0.9 is equal to 0.90.
    amount_scale integer,
    currency text collate "C",
    price_source text collate "C" not null,

    primary key (environment, obligation_key)
);

-- A night finds the missing deliveries whose possible matches its deliveries may change: by account, product and
-- time, and by spelling.
create index carried_missing_delivery_account on carried_missing_delivery (account_id, product_id, purchased_at);
create index carried_missing_delivery_spelling on carried_missing_delivery (plain_spelling(transaction_id));

-- For `tieout explain` with an error text.
create index carried_missing_delivery_error on carried_missing_delivery (error_kind(last_error));

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

create table carried_shared_family (
    environment text collate "C" not null,
    family_key text collate "C" not null,
    -- Empty for accounts.
    namespace text collate "C" not null,
    -- Sorted.
    names text[] collate "C" not null,
    accounts bigint not null,

    primary key (environment, family_key, namespace)
);

create table carried_invalid_sighting (
    kind text collate "C" not null,
    environment text collate "C" not null,
    -- The id of the transaction or the delivery.
    record_id text collate "C" not null,
    product_id text collate "C" not null,
    reason text collate "C" not null,
    transaction_id text collate "C" not null,
    seen_at timestamptz not null,
    account_ids text[] collate "C" not null,

    primary key (kind, environment, record_id)
);

create table carried_invalid_report (
    product_id text collate "C" primary key,
    reports bigint not null,
    devices bigint not null,
    accounts bigint not null,
    app_versions text[] collate "C",
    first_reported_at timestamptz not null,
    last_reported_at timestamptz not null
);

-- One row for each identifier that was seen and that the catalogue does not contain.
create table carried_closest (
    product_id text collate "C" primary key,
    -- Missing if none is close.
    closest_product_id text collate "C"
);

-- The listed identifiers with which each of them was compared.
create table carried_listed (
    product_id text collate "C" primary key
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
    -- The number of purchases and refunds in the sums.
    entries bigint not null,
    units_sold bigint not null,
    gross numeric,
    units_refunded bigint not null,
    refunds numeric,
    net numeric,
    units_upgraded bigint not null,
    units_unpriced bigint not null,
    offers_unpriced bigint not null,

    primary key (
        day, product_id, product_type, product_state, storefront, currency, price_source, amount_scale,
        refund_scale
    )
);

-- For the units without an amount, which are few.
create index carried_revenue_without_amount on carried_revenue (day, product_id) where price_source = 'none';

create table carried_month (
    -- Its first day.
    month date not null,
    product_id text collate "C" not null,
    currency text collate "C" not null,
    price_source text collate "C" not null,
    amount_scale integer not null,
    refund_scale integer not null,
    -- The number of purchases and refunds in the sums.
    entries bigint not null,
    units_sold bigint not null,
    gross numeric,
    units_refunded bigint not null,
    refunds numeric,
    net numeric,
    units_upgraded bigint not null,

    primary key (month, product_id, currency, price_source, amount_scale, refund_scale)
);

-- As many rows as sales. So it is as narrow as the ledger (schema_evidence.sql).
create table carried_entry (
    at timestamptz not null,
    -- schema_identifier.sql
    transaction_number bigint not null,
    -- At most a thousand million.
    units integer not null,
    -- The day on which it counts, in the configured time zone.
    day date not null,
    -- schema_product.sql
    product_number integer not null,
    -- Rows are compared by value, as in carried_missing_delivery.
    amount_scale smallint,
    -- schema_usual.sql, as every code
    environment_code text collate "C" not null,
    -- Of sold, refunded or upgraded.
    kind_code text collate "C" not null,
    currency text collate "C" not null,
    price_source_code text collate "C" not null,
    amount numeric,

    -- The transaction comes first, because almost all rows have the same environment.
    primary key (transaction_number, kind_code, environment_code)
);

create table carried_term (
    starts_on date not null,
    -- Not before starts_on.
    expires_on date not null,
    -- The day of a refund or an upgrade, or infinity.
    ended_on date not null,
    product_number integer not null,
    amount_scale smallint not null,
    refund_scale smallint not null,
    -- Purchases in the sums.
    entries bigint not null,
    units bigint not null,
    currency text collate "C" not null,
    price_source_code text collate "C" not null,
    amount numeric not null,
    refund numeric not null,

    -- A report reads the terms that have not expired before its first month.
    primary key (
        expires_on, starts_on, ended_on, product_number, currency, price_source_code, amount_scale, refund_scale
    )
);

-- It also reads those that ended later than they expired.
create index carried_term_ended on carried_term (ended_on) where ended_on < 'infinity';

-- Our entries that are compared with Apple's reports.
create table carried_pacific (
    day date not null,
    pacific_day date not null,
    entry text collate "C" not null,
    product_id text collate "C" not null,
    -- Two letters, or empty.
    country text collate "C" not null,
    currency text collate "C" not null,
    price_source text collate "C" not null,
    -- Of each entry.
    quantity bigint not null,
    amount numeric not null,
    entries bigint not null,

    primary key (day, pacific_day, entry, product_id, country, currency, price_source, quantity, amount)
);

create table carried_owed (
    environment text collate "C" not null,
    obligation_key text collate "C" not null,
    family_key text collate "C" not null,
    purchased_on date not null,
    -- Later than purchased_on if an earlier purchase was refunded later.
    owed_from date not null,
    -- The first day on which it was delivered or refunded; null if neither happened.
    settled_on date,
    is_served_first boolean not null,
    product_id text collate "C" not null,
    currency text collate "C" not null,
    price_source text collate "C" not null,
    quantity bigint not null,
    amount numeric,
    -- As in carried_missing_delivery.
    amount_scale integer,

    primary key (environment, family_key)
);

create table carried_total (
    section text collate "C" not null,
    measure text collate "C" not null,
    -- When a delivery that was made already falls due; -infinity for everything else.
    due_at timestamptz not null,
    value bigint not null,

    primary key (section, measure, due_at)
);

create table carried_due (
    transaction_id text collate "C" not null,
    at timestamptz not null,

    primary key (at, transaction_id)
)
