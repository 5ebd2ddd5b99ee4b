-- Numbers the product identifiers of tonight's evidence and deliveries that were not recorded before.
insert into recorded_product (product_id)
select told.product_id
from (
    select product_id from staging_evidence group by product_id
    union
    select product_id from staging_delivery group by product_id
) as told
where not exists (select from recorded_product where recorded_product.product_id = told.product_id)
-- So that the same files give the same numbers.
order by told.product_id
