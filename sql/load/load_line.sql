-- Creates the tables of what the program knows about last lines without a line end. They are filled before the load.

-- The files that have grown: their last line without a line end does not count.
create temporary table grown_file (
    file_id integer
) on commit drop;

-- The last lines of new files that have no line end.
create temporary table open_line (
    file_id integer,
    line bigint
) on commit drop
