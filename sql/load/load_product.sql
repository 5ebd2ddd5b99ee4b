-- Records the product identifiers of tonight's evidence and deliveries that were not recorded before.
insert into recorded_product (product_id)
select product_id from staging_evidence group by product_id
union
select product_id from staging_delivery group by product_id
on conflict do nothing
