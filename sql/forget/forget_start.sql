-- Creates the tables of the names that are forgotten, each with the token that replaces it, and of their spellings.
create temporary table forgotten (
    name text collate "C" primary key,
    token text collate "C" not null
) on commit drop;

-- The names, and the same names as texts can write them (WrittenName.swift).
create temporary table forgotten_spelling (
    spelling text collate "C" not null,
    -- The same in UTF-8.
    bytes bytea not null,
    -- Finds the spelling where no letter or digit of ASCII is before or after it, except that of an escape, as
    -- WholeWord.swift does.
    whole_word text collate "C" generated always as (
        '((?<![0-9A-Za-z])|(?<=\\[bfnrt]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}))'
        || regexp_replace(spelling, '([][\\^$.|?*+(){}])', '\\\1', 'g')
        || '(?![0-9A-Za-z])'
    ) stored
) on commit drop
