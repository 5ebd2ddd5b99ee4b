-- Creates the table of acknowledgements, and the view of the findings to which one applies.

-- One row for each time that somebody acknowledged a finding, kept permanently.
create table acknowledgement (
    acknowledgement_id bigint generated always as identity primary key,
    -- Missing if the finding was resolved and has been dropped since.
    finding_id bigint references finding on delete set null,
    -- The finding's name.
    finding text collate "C" not null,
    -- The finding's level at that time: the finding is reopened when its level rises.
    level text collate "C" not null,
    because text not null,
    -- The last day on which it applies, in the configured time zone; missing: until the finding is resolved.
    until_on date,
    -- The name that was given; anybody can give any name.
    acknowledged_by text not null,
    acknowledged_at timestamptz not null,
    -- For one from a file: XXH3-64 of the line's content, where the line is, and the run that read it.
    content_hash bigint unique,
    file_id integer,
    line bigint,
    run_id bigint references run,
    -- The reason why it ended. `reopened` and `replaced`: a person did it, or a line in a file. The others: a run ended
    -- it. Missing while it applies.
    ended_because text collate "C",
    ended_by text,
    ended_at timestamptz,
    -- The note of the person who ended it.
    ended_note text,
    ended_run_id bigint references run,
    -- Who really was at work: the system's user that ran the command, or the run that read the file, and the role with
    -- which it connected to the database.
    acknowledged_system_user text not null,
    acknowledged_role text not null,
    -- The same of a person who ended it.
    ended_system_user text,
    ended_role text,

    constraint end_is_known check (
        ended_because in ('reopened', 'replaced', 'resolved', 'acknowledgement_ended', 'level_rose')
    )
);

create unique index acknowledgement_standing on acknowledgement (finding_id) where ended_because is null;

create index acknowledgement_by_finding_id on acknowledgement (finding_id);

-- The findings that are acknowledged. Their number is small, so it is read from the acknowledgements.
create view acknowledged_finding as
select
    finding.rule,
    finding.environment,
    finding.subject
from acknowledgement
inner join finding on acknowledgement.finding_id = finding.finding_id
where acknowledgement.ended_because is null and finding.status = 'acknowledged'
