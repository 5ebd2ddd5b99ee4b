-- Creates the functions for Levenshtein distances between identifiers.

-- If somebody has installed fuzzystrmatch in another schema, its functions are called from here by their full
-- name: that schema may be one in which others may create functions too. An extension that exists is not named again,
-- because a cluster lets only its owner do that.
do $$
declare
    place text;
begin
    select pg_namespace.nspname into place
    from pg_extension
    inner join pg_namespace on pg_extension.extnamespace = pg_namespace.oid
    where pg_extension.extname = 'fuzzystrmatch';
    if place is null then
        create extension fuzzystrmatch;
    elsif place <> 'tieout' then
        execute format(
            'create function levenshtein(one text, other text) returns integer '
            'language sql immutable parallel safe return %I.levenshtein(one, other)',
            place
        );
        execute format(
            'create function levenshtein_less_equal(one text, other text, most integer) '
            'returns integer language sql immutable parallel safe '
            'return %I.levenshtein_less_equal(one, other, most)',
            place
        );
    end if;
end
$$;

-- The Levenshtein distance, or more than `most` if the distance is more than that. Its name is looked up here
-- once, wherever fuzzystrmatch was installed.
create function bounded_distance(one text, other text, most integer) returns integer
language sql immutable parallel safe
return levenshtein_less_equal(bounded_distance.one, bounded_distance.other, bounded_distance.most);

-- The one of `product_ids` with the smallest Levenshtein distance to `wanted`, both in lower case. Of equally
-- close ones it is the first by name. It is null if that distance is over a third of the characters of `wanted`.
--
-- `known`: the closest of others that were compared before, or null.
--
-- Comparing all unknown identifiers with all listed ones costs their product. So nights keep what was found
-- (carried_closest) and compare only new identifiers. And no comparison goes on when it cannot beat the best
-- distance so far: the distance is at least the difference in length, and it is counted only up to the best.
create function closest_identifier(wanted text, product_ids text[], known text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog
as $$
declare
    lowered constant text collate "C" := lower(wanted collate "C");
    best text collate "C" := known;
    smallest integer := length(wanted) / 3;
    product_id text collate "C";
    bound integer;
    distance integer;
begin
    if known is not null then
        smallest := tieout.bounded_distance(lowered, lower(known collate "C"), smallest);
    end if;
    foreach product_id in array coalesce(product_ids, '{}') loop
        -- An equally close one that is later in the alphabet is not enough.
        bound := smallest - case when product_id > best then 1 else 0 end;
        continue when abs(length(product_id) - length(lowered)) > bound;
        distance := tieout.bounded_distance(lowered, lower(product_id), bound);
        continue when distance > bound;
        best := product_id;
        smallest := distance;
    end loop;
    return best;
end
$$
