-- Creates the functions that find identifiers that are spellings of each other.

-- The form that all spellings of an identifier have in common: no apostrophe or zero in front, no decimal point, lower
-- case. An index on it finds all spellings of an identifier by one lookup.
create function plain_spelling(id text) returns text
language sql immutable parallel safe
return lower(regexp_replace(ltrim(plain_spelling.id, '''0'), '(\.0)+$', '') collate "C");

-- The ways in which a spreadsheet, a program or a person writes an identifier: with an apostrophe or up to five zeros
-- in front, as a decimal number, in upper case. Each of them gives the same list; any other text gives an empty one.
-- Apple's identifiers have fifteen digits, and a column of fixed width has at most the twenty digits of a number of 64
-- bits.
create function spellings(id text) returns text[]
language sql immutable parallel safe
begin atomic
    select case when spellings.id = any(listed.ids) then listed.ids else '{}' end
    from (
        select
            array[
                plain.id,
                '0' || plain.id,
                '00' || plain.id,
                '000' || plain.id,
                '0000' || plain.id,
                '00000' || plain.id,
                '''' || plain.id,
                plain.id || '.0',
                upper(plain.id collate "C")
            ] as ids
        from (select plain_spelling(spellings.id) as id) as plain
    ) as listed;
end
