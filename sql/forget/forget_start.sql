-- Creates the table of the names that are forgotten, each with the token that replaces it.
create temporary table forgotten (
    name text collate "C" primary key,
    token text collate "C" not null,
    -- The name as JSON may write it; null if that is only the name itself.
    escaped text collate "C" generated always as (
        case when json_escaped(name) <> lower(name) or position('/' in name) > 0 then json_escaped(name) end
    ) stored
) on commit drop
