-- Creates the tables of the files and documents that were read.
--
-- Autovacuum's settings here and in the files after this one: PostgreSQL's default waits for a fifth of a table, which
-- a table of a hundred million rows never reaches. Inserts count too, because only vacuumed pages can be read from an
-- index alone. Each number was measured; docs/measurements.md has the measurements.

-- One row for each file that was loaded, identified by its bytes and its folder. A file that is read again
-- because a setting has changed has another row, for the run that read it again.
create table input_file (
    file_id integer primary key,
    sha256 bytea not null,
    folder text collate "C" not null,
    -- The path below the inbox where the file was seen first.
    path text collate "C" not null,
    bytes bigint not null,
    -- The number of its records. Of a file with receipts these are its documents.
    records bigint not null,
    run_id bigint not null references run,
    -- No record of it could be used. Known when its rejections are deleted (retention_drop.sql).
    is_unusable boolean not null default false,
    -- Whether the last rebuild that read these bytes used a record of them. Missing if no rebuild has read them.
    is_used boolean,
    -- A part of it could not be used as a file when it was read last, for instance a truncated gzip stream.
    is_rejected boolean not null,
    -- The tables were built without it. When it is no longer withdrawn, a night that finds the file loads it.
    is_withdrawn boolean not null default false,
    -- The line of the last record, if that line has no line end and was used. A file of receipts has none: a
    -- document is complete, and text that is added behind it does not change it.
    open_line bigint,
    -- The file has grown: its open line does not count, because the longer file contains the whole line.
    has_grown boolean not null default false,
    -- The content of a report of Apple (schema_apple_report.sql).
    report_hash uuid,

    constraint file_is_known_by_its_bytes unique (sha256, folder, run_id)
);

create index input_file_by_run_id on input_file (run_id);

-- Whether a file was read again is looked up by its path.
create index input_file_by_path on input_file (path);

create index input_file_not_read on input_file (file_id) where is_rejected and not is_withdrawn;

create index input_file_by_report on input_file (report_hash) where report_hash is not null;

-- The first file of the runs with an as-of since an instant; null if they loaded none. The files have numbers in the
-- order in which they were loaded.
create function first_file_since(instant timestamptz) returns integer
language sql stable parallel safe
begin atomic
    select min(input_file.file_id)
    from input_file
    inner join run on input_file.run_id = run.run_id
    where run.as_of >= first_file_since.instant;
end;

-- One row for each path of an inbox, as it was when it was last read. If it has not changed, it is not read again.
create table inbox_path (
    path text collate "C" primary key,
    bytes bigint not null,
    modified_ns bigint not null,
    inode bigint not null,
    -- Missing for a withdrawn file, which is not read again either.
    file_id integer references input_file,
    withdrawn_sha256 bytea,

    constraint path_is_of_one_file check ((file_id is null) <> (withdrawn_sha256 is null))
);

-- One row for each document that was read, identified by its bytes.
create table document (
    -- XXH3-128 of the document's bytes.
    document_hash uuid primary key,
    -- No foreign key, as in stored_evidence and stored_delivery: checking it row by row took two thirds of the load.
    file_id integer not null,
    line bigint not null,
    status integer not null
)
with (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);

create index document_by_file_id on document (file_id)
