-- Creates the functions for values that nearly every row of a large table has: the tables contain the empty text
-- instead, which takes one byte. No such value is itself the empty text.
--
-- The views of the tables have the names. The functions read no table and are a part of the calling query, so they can
-- also run on the workers of a cluster.

-- The code of an environment. The readers compute it in the same way (Environment.swift).
create function environment_code(environment text) returns text
language sql immutable parallel safe
return case when environment = 'Production' then '' else environment end collate "C";

create function environment_name(environment_code text) returns text
language sql immutable parallel safe
return case when environment_code = '' then 'Production' else environment_code end collate "C";

-- The code of the status of a delivery record.
create function status_code(status text) returns text
language sql immutable parallel safe
return case when status = 'delivered' then '' else status end collate "C";

create function status_name(status_code text) returns text
language sql immutable parallel safe
return case when status_code = '' then 'delivered' else status_code end collate "C";

-- The code of the kind of a row of carried_entry.
create function entry_kind_code(kind text) returns text
language sql immutable parallel safe
return case when kind = 'sold' then '' else kind end collate "C";

create function entry_kind_name(kind_code text) returns text
language sql immutable parallel safe
return case when kind_code = '' then 'sold' else kind_code end collate "C";

-- The code of the source of an amount is its first letter: several sources are usual.
create function price_source_code(price_source text) returns text
language sql immutable parallel safe
return left(price_source, 1) collate "C";

create function price_source_name(price_source_code text) returns text
language sql immutable parallel safe
return case price_source_code when 'r' then 'receipt' when 'c' then 'catalogue' when 'n' then 'none' end collate "C"
