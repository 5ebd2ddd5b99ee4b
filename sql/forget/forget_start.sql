-- Creates the table of the names that are forgotten, each with the token that replaces it.
create temporary table forgotten (
    name text collate "C" primary key,
    token text collate "C" not null
) on commit drop
