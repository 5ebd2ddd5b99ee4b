-- Who says what in a catalogue: the app what it offers, the App Store what it knows.
--
-- catalogue_statement has four members more. `offered_by_app` and `known_to_store` say that a list of the
-- one or of the other names the identifier, `for_sale` (true or false) that the store sells it. And
-- `store_list_covers` is said of no product, under the empty identifier: a list of the store names every
-- product of the kind that is its value.

-- Files out of which this program reads more than an older one did: they are read again.
create table outdated_file (
    file_id integer primary key references input_file
);

insert into outdated_file (file_id)
select file_id
from input_file
where folder = 'catalog'
