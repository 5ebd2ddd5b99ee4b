-- Creates the tables of tonight's files and of their last lines without a line end. They are filled before the load;
-- in a rebuild rebuild_close.sql fills tonight_file.
--
-- Leaves behind  tonight_file, grown_file, open_line: empty
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
) on commit drop;

-- The files that have grown: their last line without a line end does not count.
create temporary table grown_file (
    file_id integer
) on commit drop;

-- The last lines of new files that have no line end.
create temporary table open_line (
    file_id integer,
    line bigint
) on commit drop
