-- Returns those of the product identifiers that no record and no catalogue contains.
--
-- Takes  $1: the identifiers (text array)
-- Gives  product_id
select asked.product_id
from unnest($1::text []) as asked (product_id)
where
    not exists (select from recorded_product where recorded_product.product_id = asked.product_id)
    and not exists (select from catalogue_fact where catalogue_fact.product_id = asked.product_id)
order by asked.product_id
