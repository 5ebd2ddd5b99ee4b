-- Creates the tables that say what was published about ended months, and how it changed afterwards.

-- One row for each edition whose figures of an ended month are what later nights are compared with: the edition of a
-- closing, or else the editions of the last day of the month, or else the first edition of a later day. The one of the
-- newest run is in force (standing_month).
create table published_month (
    -- Its first day.
    month date not null,
    run_id bigint not null references run,
    edition integer not null,
    -- A closing froze it.
    is_closed boolean not null,

    primary key (month, run_id)
);

-- The sums of that month in that edition.
create table published_sum (
    month date not null,
    run_id bigint not null,
    product_id text collate "C" not null,
    -- Empty if it is unknown.
    currency text collate "C" not null,
    price_source text collate "C" not null,
    -- sold, refunded, upgraded or missing.
    kind text collate "C" not null,
    units bigint not null,
    -- Null if no amount is known.
    amount numeric,

    primary key (month, run_id, product_id, currency, price_source, kind),
    foreign key (month, run_id) references published_month
);

-- One row for each transaction as it counted before a run that changed it, with negative numbers, and one for the
-- transaction as it counts since then. Only transactions of months that were published before are here.
--
-- A correction (restated_correction.sql) is one row: the difference of a sum.
create table restated_entry (
    run_id bigint not null references run,
    -- Empty of a correction.
    environment text collate "C" not null,
    -- Of a missing delivery: the purchase that is owed. Empty of a correction.
    transaction_id text collate "C" not null,
    kind text collate "C" not null,
    -- false: as it counted before; of a correction, that the sum is smaller than before.
    is_added boolean not null,
    -- The day on which it counts; of a missing delivery the day of the purchase; of a correction any day of the month
    -- or the period.
    day date not null,
    product_id text collate "C" not null,
    currency text collate "C" not null,
    price_source text collate "C" not null,
    cause text collate "C" not null,
    units bigint not null,
    amount numeric,

    -- The last four columns tell corrections apart.
    primary key (run_id, environment, transaction_id, kind, is_added, day, product_id, currency, price_source)
);

create index restated_entry_by_day on restated_entry (day, product_id)
