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
create table restated_entry (
    run_id bigint not null references run,
    environment text collate "C" not null,
    -- Of a missing delivery: the purchase that is owed.
    transaction_id text collate "C" not null,
    kind text collate "C" not null,
    -- false: as it counted before.
    is_added boolean not null,
    -- The day on which it counts; of a missing delivery the day of the purchase.
    day date not null,
    product_id text collate "C" not null,
    currency text collate "C" not null,
    price_source text collate "C" not null,
    cause text collate "C" not null,
    units bigint not null,
    amount numeric,

    primary key (run_id, environment, transaction_id, kind, is_added)
);

create index restated_entry_by_day on restated_entry (day, product_id);

-- One row for each number of an edition that was published wrong, although no record has changed it since then: what
-- `tieout recompute` has corrected in it. It counts for this edition only.
create table month_correction (
    run_id bigint not null references run,
    -- The night of the edition.
    corrected_run_id bigint not null references run,
    month date not null,
    product_id text collate "C" not null,
    currency text collate "C" not null,
    price_source text collate "C" not null,
    kind text collate "C" not null,
    units bigint not null,
    amount numeric,

    primary key (month, product_id, currency, price_source, kind, corrected_run_id, run_id)
);

-- The changes and the corrections of published months. A correction is on the first day of its month, and only it has
-- corrected_run_id.
create view month_change as
select
    run_id,
    null::bigint as corrected_run_id,
    day,
    product_id,
    currency,
    price_source,
    kind,
    cause,
    units,
    amount
from restated_entry
union all
select
    run_id,
    corrected_run_id,
    month,
    product_id,
    currency,
    price_source,
    kind,
    'error_corrected' collate "C",
    units,
    amount
from month_correction
