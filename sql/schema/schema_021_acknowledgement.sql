-- Names of findings for people, why findings resolve, and what people have acknowledged.

-- What people call a finding: `F-` and the first twelve hexadecimal digits of the SHA-256 of rule, environment
-- and subject with a space between. It is made of what the finding is about, so it is the same in every
-- database that finds it; neither rule nor environment holds a space.
--
-- decode() of what is escaped gives the bytes of a text as convert_to() does, and is immutable: so the call
-- becomes a part of the statement, and costs a third.
create function finding_name(rule text, environment text, subject text) returns text
language sql immutable parallel safe
return 'F-' || left(
    encode(
        sha256(decode(replace(rule || ' ' || environment || ' ' || subject, '\', '\\'), 'escape')), 'hex'
    ),
    12
);

alter table finding add column name text collate "C"
generated always as (finding_name(rule, environment, subject)) stored;

create index finding_by_name on finding (name);

-- Acknowledged: open, and somebody has said why it need not ring.
alter table finding drop constraint status_is_known;
alter table finding add constraint status_is_known check (
    status in ('open', 'reopened', 'acknowledged', 'resolved')
);

-- Why it resolved; of what came back, why it did so though nothing had resolved it. Missing where it was found
-- for the first time or again, and for what happened before this was kept.
alter table finding_event add column cause text collate "C";
alter table finding_event add constraint cause_is_known check (
    cause in (
        'delivered_late', 'refunded', 'catalogue_changed', 'no_longer_holds', 'acknowledgement_ended',
        'level_rose'
    )
);

create index finding_event_by_run_id on finding_event (run_id);

-- One row for each time that somebody acknowledged a finding, kept for ever.
create table acknowledgement (
    acknowledgement_id bigint generated always as identity primary key,
    -- Missing when the finding was resolved and has been dropped since.
    finding_id bigint references finding on delete set null,
    -- The finding's name.
    finding text collate "C" not null,
    -- The finding's level at that time: it comes back when it gets worse.
    level text collate "C" not null,
    because text not null,
    -- The last day on which it holds, in the configured time zone; missing: until the finding resolves.
    until_on date,
    acknowledged_by text not null,
    acknowledged_at timestamptz not null,
    -- Of one that a file told: XXH3-128 of what the line says, where it stands, and the run that read it.
    statement_hash uuid unique,
    file_id integer,
    line bigint,
    run_id bigint references run,
    -- Why it ended: reopened or replaced by somebody; or by a run: resolved, acknowledgement_ended,
    -- level_rose. Missing while it stands.
    ended_because text collate "C",
    ended_by text,
    ended_at timestamptz,
    -- What somebody said when they ended it.
    ended_note text,
    ended_run_id bigint references run,

    constraint end_is_known check (
        ended_because in ('reopened', 'replaced', 'resolved', 'acknowledgement_ended', 'level_rose')
    )
);

create unique index acknowledgement_standing on acknowledgement (finding_id) where ended_because is null;

create index acknowledgement_by_finding_id on acknowledgement (finding_id);

create unlogged table staging_acknowledgement (
    file_id integer,
    line bigint,
    statement_hash uuid,
    finding text collate "C",
    -- Midnight UTC of the day.
    until_at timestamptz,
    because text,
    acknowledged_by text,
    -- The record itself, as a rejection shows and keeps it.
    excerpt text,
    raw bytea,
    raw_bytes bigint
);

alter table rejection drop constraint kind_is_known;
alter table rejection add constraint kind_is_known check (
    kind in (
        'file', 'receipt', 'transaction', 'delivery', 'catalogue', 'client', 'acknowledgement'
    )
)
