-- What is for sale.

-- One row for each different thing that a catalogue said of a product identifier. The member `listed`
-- says that it is for sale at all; `price` uses currency, storefront and price_from, the others do not.
create table catalogue_statement (
    product_id text collate "C" not null,
    member text collate "C" not null,
    currency text collate "C" not null default '',
    storefront text collate "C" not null default '',
    price_from timestamptz not null default '-infinity',
    value text collate "C" not null,
    file_id integer not null,
    -- The entry's place in the file, from 1.
    line bigint not null,

    primary key (product_id, member, currency, storefront, price_from, value)
)
