-- How names of accounts and devices are kept, and whose are no longer kept.

-- What the tables were built with: one row.
create table privacy (
    is_the_only_one boolean primary key default true check (is_the_only_one),
    -- none: as they came; hash: hashed with a key; missing before the first night decides.
    mode text,
    -- Says of a key whether it is the same one, and nothing else of it.
    key_check bytea,
    -- Of this database alone, for the digests of forgotten names.
    salt bytea not null,

    constraint mode_is_known check (mode in ('none', 'hash')),
    constraint key_belongs_to_hash check ((mode is not distinct from 'hash') = (key_check is not null))
);

insert into privacy (mode, salt)
select
    case when exists (select from input_file) then 'none' end,
    uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

-- One row for each spelling of a name that somebody had forgotten. The name is not here: whoever knows it can
-- make its digest, and nobody can make the name of it.
create table forgotten_name (
    -- HMAC-SHA256 of the name by the salt.
    digest bytea primary key,
    -- What stands in the tables instead; names that stand together have different ones.
    token text collate "C" not null,
    forgotten_by text not null,
    forgotten_at timestamptz not null default clock_timestamp()
)
