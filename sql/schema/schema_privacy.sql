-- Creates the tables that say how names of accounts and devices are kept, and which are no longer kept.

-- One row: how the names in the tables were made.
create table privacy (
    is_the_only_one boolean primary key default true check (is_the_only_one),
    -- none: as they came; hash: hashed with a key; missing until the first night decides.
    mode text,
    -- Shows whether a key is the same one, and reveals nothing else about it.
    key_check bytea,
    -- For the digests of forgotten names; each database has its own.
    salt bytea not null,

    constraint mode_is_known check (mode in ('none', 'hash')),
    constraint key_belongs_to_hash check ((mode is not distinct from 'hash') = (key_check is not null))
);

insert into privacy (salt)
values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

-- A text as JSON writes it if all its characters are to be ASCII (RFC 8259, section 7), in lower case. A slash, which
-- JSON may escape, is not escaped. HoldingEditions.escapedForJSON does the same for the files of editions.
create function json_escaped(name text)
returns text
language sql immutable strict parallel safe
as $$
    select
        lower(string_agg(
            case
                when letter in ('"', '\') then '\' || letter
                when code < 128 then letter
                when code < 65536 then '\u' || lpad(to_hex(code), 4, '0')
                else
                    '\u' || to_hex(55296 + (code - 65536) / 1024) || '\u' || to_hex(56320 + (code - 65536) % 1024)
            end, '' order by place
        ))
    from unnest(string_to_array(name, null)) with ordinality as character (letter, place)
    cross join lateral ascii(letter) as code
$$;

-- Whether a rejected record contains a name, as it is or as JSON may write it: escaped is json_escaped(name), or null
-- if that is only the name itself. The text that says why it was rejected is not searched.
create function holds_name(excerpt text, raw bytea, name text, escaped text) returns boolean
language sql immutable parallel safe
return
position(holds_name.name in holds_name.excerpt) > 0
or position(convert_to(holds_name.name, 'UTF8') in holds_name.raw) > 0
-- JSON may also escape a slash.
or position(holds_name.escaped in replace(lower(holds_name.excerpt), '\/', '/')) > 0
or position(
    replace(holds_name.escaped, '\', '\\') in replace(lower(encode(holds_name.raw, 'escape')), '\\/', '/')
) > 0;

-- One row for each spelling of a forgotten name. It does not contain the name: a person who knows the name can make
-- its digest, but nobody can make the name from the digest.
create table forgotten_name (
    -- HMAC-SHA256 of the name with the salt.
    digest bytea primary key,
    -- The text that replaces the name in the tables; two names that occur together have different tokens.
    token text collate "C" not null,
    forgotten_by text not null,
    forgotten_at timestamptz not null default clock_timestamp()
)
