-- What is wrong, with a life of its own.

-- One row for each thing that was ever found wrong: the same rule about the same subject is the same
-- finding, night after night.
create table finding (
    finding_id bigint generated always as identity primary key,
    rule text collate "C" not null,
    -- Empty where the subject belongs to no environment.
    environment text collate "C" not null,
    subject text collate "C" not null,
    -- SHA-256 of the subject: a subject may be longer than an index entry can be.
    subject_hash bytea not null,
    level text collate "C" not null,
    reason text collate "C",
    detail text not null,
    status text collate "C" not null,
    -- The as-of day of the first run that found it.
    first_flagged_on date not null,
    first_run_id bigint not null references run,
    -- The run in which the status last changed.
    changed_run_id bigint not null references run,

    constraint finding_is_known_by_rule_and_subject unique (rule, environment, subject_hash),
    constraint status_is_known check (status in ('open', 'reopened', 'resolved')),
    constraint level_is_known check (level in ('info', 'warning', 'error'))
);

create index finding_open on finding (rule) where status <> 'resolved';

-- One row for each change in the life of a finding.
create table finding_event (
    finding_id bigint not null references finding,
    run_id bigint not null references run,
    -- opened, resolved or reopened.
    event text collate "C" not null,

    primary key (finding_id, run_id),
    constraint event_is_known check (event in ('opened', 'resolved', 'reopened'))
)
