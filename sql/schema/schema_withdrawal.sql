-- Creates the table of withdrawals: files that must not count.

-- One row for each time that somebody withdrew a file, identified by its bytes.
create table withdrawal (
    withdrawal_id integer generated always as identity primary key,
    sha256 bytea not null,
    -- Its path at that time, below the inbox or on disk.
    path text collate "C" not null,
    -- Missing if only its SHA-256 was given and no such file was ever loaded.
    bytes bigint,
    because text not null,
    withdrawn_by text not null,
    withdrawn_at timestamptz not null default clock_timestamp(),
    -- The undo, after which the file counts again; missing before.
    undone_because text,
    undone_by text,
    undone_at timestamptz
);

create unique index withdrawal_in_force on withdrawal (sha256) where undone_at is null
