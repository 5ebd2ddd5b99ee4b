-- Where every record came from, and what could not be used.

-- One row for each file that was ever loaded, known by its bytes and the folder they lay in.
create table input_file (
    file_id integer primary key,
    sha256 bytea not null,
    folder text collate "C" not null,
    -- The path below the inbox under which it was first seen.
    path text collate "C" not null,
    bytes bigint not null,
    run_id bigint not null references run,
    -- Part of it could not be used as a file, for instance a gzip stream that breaks off.
    is_rejected boolean not null,

    constraint file_is_known_by_its_bytes unique (sha256, folder)
);

-- One row for each path of an inbox, as it stood when it was last read: unchanged, it is not read again.
create table inbox_path (
    path text collate "C" primary key,
    bytes bigint not null,
    modified_ns bigint not null,
    inode bigint not null,
    file_id integer not null references input_file
);

-- One row for each document that was ever read, known by its bytes.
create table document (
    -- XXH3-128 of the document's bytes.
    document_hash uuid primary key,
    file_id integer not null references input_file,
    line bigint not null,
    status integer not null
);

-- One row for each record, document or file that could not be used.
create table rejection (
    rejection_id bigint generated always as identity primary key,
    run_id bigint not null references run,
    -- Missing where the file itself could not be read.
    file_id integer references input_file,
    path text collate "C" not null,
    line bigint,
    kind text collate "C" not null,
    reason text collate "C" not null,
    detail text not null,
    excerpt text not null,
    -- The record itself, to the configured size, and its whole length in bytes.
    raw bytea,
    raw_bytes bigint not null,

    constraint kind_is_known check (kind in ('file', 'receipt', 'transaction', 'delivery', 'catalogue'))
);

create index rejection_by_run_id on rejection (run_id)
