-- Creates the table of catalogue facts: what is for sale.

-- Whether our servers deliver a product, by the value of its member `delivery`: at once, or when the app asks for it.
-- Other products are delivered by Apple or are built in.
create function is_our_delivery(delivery text) returns boolean
language sql immutable parallel safe
return delivery in ('server', 'on_demand');

-- One row for each different fact that catalogues give about a product identifier. The member is what the fact is
-- about:
--
--   listed              the product is for sale at all
--   price               its price; only this member uses currency, storefront and price_from
--   offered_by_app      a list of what the app offers names the identifier
--   known_to_store      a list of what the App Store knows names it
--   for_sale            (true or false) whether the store sells it
--   store_list_covers   about no product, under the empty identifier: a list of the store names every product
--                       of the kind that is the value
--
-- and every other column of a catalogue, such as type and valid_from, by its name.
create table catalogue_fact (
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
);

-- What a fact is about, in words: its member, and of a price its currency, storefront and beginning.
create function fact_words(member text, currency text, storefront text, price_from timestamptz) returns text
language sql stable parallel safe
return concat_ws(
    ' ',
    member,
    nullif(currency, ''),
    nullif(storefront, ''),
    case when price_from > '-infinity' then 'from ' || csv_instant(price_from) end
);

-- What the catalogue says about the product of a purchase: whether it lists the product, and whether it sold it then.
-- The product of a purchase that was made again is sold if it was sold at the first purchase.
create function product_state(
    is_listed boolean,
    bought_at timestamptz,
    first_bought_at timestamptz,
    valid_from timestamptz,
    valid_to timestamptz
)
returns text
language sql immutable parallel safe
return case
    when not is_listed then 'unknown'
    when bought_at < valid_from then 'not_yet_valid'
    when first_bought_at >= valid_to then 'expired'
    else 'valid'
end
