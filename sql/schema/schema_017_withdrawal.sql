-- Files that are never to count again.

-- One row for each time that somebody withdrew a file, known by its bytes.
create table withdrawal (
    withdrawal_id integer generated always as identity primary key,
    sha256 bytea not null,
    -- What it was called then: its path below the inbox, or where it lay.
    path text collate "C" not null,
    -- Missing where only its SHA-256 was given and no such file was ever loaded.
    bytes bigint,
    because text not null,
    withdrawn_by text not null,
    withdrawn_at timestamptz not null default clock_timestamp(),
    -- It counts again; missing while it does not.
    undone_because text,
    undone_by text,
    undone_at timestamptz
);

create unique index withdrawal_in_force on withdrawal (sha256) where undone_at is null;

-- The tables were built without it: a night that finds the file when it is no longer withdrawn loads it.
alter table input_file add column is_withdrawn boolean not null default false;

-- A withdrawn file that lies in the inbox is not read again either.
alter table inbox_path
    alter column file_id drop not null,
    add column withdrawn_sha256 bytea,
    add constraint path_is_of_one_file check ((file_id is null) <> (withdrawn_sha256 is null))
