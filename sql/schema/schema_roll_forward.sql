-- Creates the tables that say how the open findings of one run became those of the next.

-- One row for each finding that is not resolved, as the newest run left it. The next run compares. A finding that was
-- deleted since then counts as resolved (rebuild_privacy.sql).
create table rolled_finding (
    finding_id bigint primary key,
    rule text collate "C" not null,
    -- Empty if the rule gives none.
    reason text collate "C" not null,
    -- Empty if no amount is known.
    currency text collate "C" not null,
    amount numeric,
    is_acknowledged boolean not null
);

-- One row for each run, rule, reason and currency, kept permanently. Findings that are acknowledged are not in the
-- opening and the closing.
create table roll_forward (
    run_id bigint not null references run,
    rule text collate "C" not null,
    reason text collate "C" not null,
    currency text collate "C" not null,
    -- The number of findings.
    opening bigint not null,
    new bigint not null,
    reopened bigint not null,
    reclassified_in bigint not null,
    reclassified_out bigint not null,
    resolved bigint not null,
    acknowledged bigint not null,
    returned bigint not null,
    closing bigint not null,
    -- Their amounts; null if none is known.
    opening_amount numeric,
    new_amount numeric,
    reopened_amount numeric,
    remeasured_amount numeric,
    reclassified_in_amount numeric,
    reclassified_out_amount numeric,
    resolved_amount numeric,
    acknowledged_amount numeric,
    returned_amount numeric,
    closing_amount numeric,

    primary key (run_id, rule, reason, currency)
)
