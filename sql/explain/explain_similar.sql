-- Returns the first three product identifiers and paths of input files that contain the explained name: what a name of
-- which nothing is known may stand for.
--
-- Takes  tieout.explained
-- Gives  name
select known.name
from (
    select product_id as name
    from recorded_product
    union
    select product_id
    from catalogue_fact
    union
    select path
    from input_file
) as known
where
    -- A shorter name is a part of many others.
    length(current_setting('tieout.explained')) >= 4
    and strpos(lower(known.name), lower(current_setting('tieout.explained'))) > 0
order by known.name
limit 3
