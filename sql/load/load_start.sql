-- Creates the table of tonight's files, which is filled before the load.
create temporary table tonight_file (
    file_id integer,
    run_id bigint,
    path text collate "C",
    location text collate "C",
    folder text collate "C",
    sha256 bytea,
    bytes bigint,
    read_bytes bigint,
    modified_ns bigint,
    inode bigint,
    is_rejected boolean,
    open_line bigint,
    records bigint
) on commit drop
