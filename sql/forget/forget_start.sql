-- Creates the table of the names that are forgotten, each with the token that replaces it.
create temporary table forgotten (
    name text collate "C" primary key,
    token text collate "C" not null,
    -- The name as JSON may write it; null if that is only the name itself.
    escaped text collate "C" generated always as (
        case when json_escaped(name) <> lower(name) or position('/' in name) > 0 then json_escaped(name) end
    ) stored,
    -- Finds the name where no letter or digit of ASCII is before or after it, as WholeWord.swift does.
    whole_word text collate "C" generated always as (
        '(?<![0-9A-Za-z])' || regexp_replace(name, '([][\\^$.|?*+(){}])', '\\\1', 'g') || '(?![0-9A-Za-z])'
    ) stored
) on commit drop
