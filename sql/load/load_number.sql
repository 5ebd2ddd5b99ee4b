-- Numbers the identifiers and products of tonight's records that were not recorded before, and fills in the numbers of
-- staged identifiers that are not their own number (schema_identifier.sql).

-- A staged identifier has a text only if it is not its own number. Hardly any row has one.
create temporary table staged_identifier on commit drop as
select named.identifier
from (
    select transaction_id, original_transaction_id, web_order_line_item_id
    from staging_evidence
    union all
    select transaction_id, original_transaction_id, web_order_line_item_id
    from staging_delivery
) as staged
cross join unnest(
    array[staged.transaction_id, staged.original_transaction_id, staged.web_order_line_item_id]
) as named (identifier)
where
    coalesce(staged.transaction_id, staged.original_transaction_id, staged.web_order_line_item_id) is not null
    and named.identifier is not null
union
-- Records of apps have texts.
select named.identifier
from staging_client_transaction as staged
cross join unnest(array[staged.transaction_id, staged.original_transaction_id]) as named (identifier)
where named.identifier is not null and identifier_number(named.identifier) is null;

-- Numbered in the order of the identifiers, so that the same files give the same numbers. A sequence would lose the
-- numbers of a run that is killed.
create temporary table new_identifier on commit drop as
select
    coalesce((select min(known.identifier_number) from odd_identifier as known), 0)
    - row_number() over (order by staged_identifier.identifier) as identifier_number,
    staged_identifier.identifier
from staged_identifier
where not exists (select from odd_identifier where odd_identifier.identifier = staged_identifier.identifier);

insert into odd_identifier (identifier_number, identifier)
select
    identifier_number,
    identifier
from new_identifier;

update staging_evidence
set
    transaction_number = coalesce(transaction_number, identifier_number(transaction_id)),
    original_number = coalesce(original_number, identifier_number(original_transaction_id)),
    line_item_number = coalesce(line_item_number, identifier_number(web_order_line_item_id))
where
    coalesce(transaction_id, original_transaction_id, web_order_line_item_id) is not null
    and exists (select from staged_identifier);

update staging_delivery
set
    transaction_number = coalesce(transaction_number, identifier_number(transaction_id)),
    original_number = coalesce(original_number, identifier_number(original_transaction_id)),
    line_item_number = coalesce(line_item_number, identifier_number(web_order_line_item_id))
where
    coalesce(transaction_id, original_transaction_id, web_order_line_item_id) is not null
    and exists (select from staged_identifier);

drop table staged_identifier;

create temporary table new_product on commit drop as
select
    coalesce((select max(known.product_number) from recorded_product as known), 0)
    + row_number() over (order by staged_product.product_id) as product_number,
    staged_product.product_id
from (
    select product_id from staging_evidence group by product_id
    union
    select product_id from staging_delivery group by product_id
) as staged_product
where not exists (select from recorded_product where recorded_product.product_id = staged_product.product_id);

insert into recorded_product (product_number, product_id)
select
    product_number,
    product_id
from new_product;

drop table new_identifier, new_product
