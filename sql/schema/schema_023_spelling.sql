-- Identifiers that are spellings of each other are found by what they have in common: by an index, in place of
-- five look-ups each.

create function plain_spelling(id text) returns text
language sql immutable parallel safe
return lower(regexp_replace(ltrim(plain_spelling.id, '''0'), '(\.0)+$', '') collate "C");

create or replace function spellings(id text) returns text[]
language sql immutable parallel safe
begin atomic
    select case when spellings.id = any(listed.ids) then listed.ids else '{}' end
    from (
        select array[plain.id, '0' || plain.id, '''' || plain.id, plain.id || '.0', upper(plain.id)] as ids
        from (select plain_spelling(spellings.id) as id) as plain
    ) as listed;
end;

drop index carried_missing_delivery_transaction;

create index carried_missing_delivery_spelling on carried_missing_delivery (plain_spelling(transaction_id));
