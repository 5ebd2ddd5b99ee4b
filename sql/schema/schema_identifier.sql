-- Creates the numbers of identifiers: of transactions, original transactions and line items.
--
-- Apple's identifiers are decimals. One with at most 18 digits and no zero in front is its own number. Any other one
-- has a negative number in a small table. The large tables contain the numbers: they take half the bytes of the texts,
-- and indexes of them are smaller.

-- One row for each identifier that is not its own number. Rows are never deleted, so a number always means the same
-- identifier, also after a rebuild.
create table odd_identifier (
    identifier_number bigint primary key,
    identifier text collate "C" not null unique,

    constraint number_is_negative check (identifier_number < 0)
);

-- Who may read a view may read the identifiers in it, but not this table (security definer).
create function odd_identifier_number(identifier text) returns bigint
language sql stable strict parallel safe security definer set search_path = pg_catalog, pg_temp
return (
    select odd.identifier_number
    from tieout.odd_identifier as odd
    where odd.identifier = odd_identifier_number.identifier
);

create function odd_identifier_text(identifier_number bigint) returns text
language sql stable strict parallel safe security definer set search_path = pg_catalog, pg_temp
return (
    select odd.identifier
    from tieout.odd_identifier as odd
    where odd.identifier_number = odd_identifier_text.identifier_number
);

-- The number of an identifier that is its own number; null for any other one. The readers have the same rule
-- (RowEncoder.swift).
create function decimal_number(identifier text) returns bigint
language sql immutable parallel safe
return case when identifier ~ '^(0|[1-9][0-9]{0,17})$' then identifier::bigint end;

-- The number of an identifier; null if no record ever contained the identifier.
create function identifier_number(identifier text) returns bigint
language sql stable parallel safe
return coalesce(tieout.decimal_number(identifier), tieout.odd_identifier_number(identifier));

-- The identifier with a number.
create function identifier_text(identifier_number bigint) returns text
language sql stable parallel safe
return case
    when identifier_number >= 0 then identifier_number::text
    else tieout.odd_identifier_text(identifier_number)
end collate "C";

-- The same order for the number of an identifier (schema_order.sql). It has no call of identifier_text(), which would
-- keep the planner from making it a part of the calling query.
create function identifier_order(identifier_number bigint) returns bytea
language sql stable parallel safe
return case
    when identifier_number >= 0 then tieout.identifier_order(identifier_number::text)
    else tieout.identifier_order(tieout.odd_identifier_text(identifier_number))
end
