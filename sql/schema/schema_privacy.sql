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

-- One row for each spelling of a forgotten name. It does not contain the name: a person who knows the name can make
-- its digest, but nobody can make the name from the digest.
create table forgotten_name (
    -- HMAC-SHA256 of the name with the salt.
    digest bytea primary key,
    -- The text that replaces the name in the tables; two names that occur together have different tokens.
    token text collate "C" not null,
    -- Whether it is a device or an appAccountToken that only the forgotten account used, and not the name that
    -- somebody asked to forget.
    is_companion boolean not null
)
