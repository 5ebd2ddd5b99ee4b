-- Adds the names that share a record with a name that the last round added, and returns their number.
--
-- It runs until the number is 0. Then no transaction, delivery or claim outside of the reached part has a name in
-- common with one inside, so the reached part can be judged separately.
--
-- Gives  names: the number of new names

create temporary table met on commit drop as
select
    store_transaction.transaction_id,
    store_transaction.original_transaction_id,
    store_transaction.web_order_line_item_id,
    null::text collate "C" as delivery_id
from frontier_transaction
inner join store_transaction
    on frontier_transaction.transaction_id = store_transaction.transaction_id
union all
select
    store_transaction.transaction_id,
    store_transaction.original_transaction_id,
    store_transaction.web_order_line_item_id,
    null
from frontier_transaction
inner join store_transaction
    on frontier_transaction.transaction_id = store_transaction.original_transaction_id
union all
select
    store_transaction.transaction_id,
    store_transaction.original_transaction_id,
    store_transaction.web_order_line_item_id,
    null
from frontier_line_item
inner join store_transaction
    on frontier_line_item.web_order_line_item_id = store_transaction.web_order_line_item_id
union all
select
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.delivery_id
from frontier_transaction
inner join delivery_record
    on frontier_transaction.transaction_id = delivery_record.transaction_id
union all
select
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.delivery_id
from frontier_transaction
inner join delivery_record
    on frontier_transaction.transaction_id = delivery_record.original_transaction_id
union all
select
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.delivery_id
from frontier_line_item
inner join delivery_record
    on frontier_line_item.web_order_line_item_id = delivery_record.web_order_line_item_id
union all
select
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.delivery_id
from frontier_delivery
inner join delivery_record on frontier_delivery.delivery_id = delivery_record.delivery_id
union all
select
    client_transaction.transaction_id,
    client_transaction.original_transaction_id,
    null,
    null
from frontier_transaction
inner join client_transaction
    on frontier_transaction.transaction_id = client_transaction.transaction_id
union all
select
    client_transaction.transaction_id,
    client_transaction.original_transaction_id,
    null,
    null
from frontier_transaction
inner join client_transaction
    on frontier_transaction.transaction_id = client_transaction.original_transaction_id;

drop table frontier_transaction;

drop table frontier_line_item;

drop table frontier_delivery;

create temporary table frontier_transaction on commit drop as
select named.transaction_id
from (
    select transaction_id from met
    union
    select original_transaction_id from met
) as named
where
    named.transaction_id is not null
    and not exists (
        select
        from reached_transaction
        where reached_transaction.transaction_id = named.transaction_id
    );

create temporary table frontier_line_item on commit drop as
select distinct web_order_line_item_id
from met
where
    web_order_line_item_id is not null
    and not exists (
        select
        from reached_line_item
        where reached_line_item.web_order_line_item_id = met.web_order_line_item_id
    );

create temporary table frontier_delivery on commit drop as
select distinct delivery_id
from met
where
    delivery_id is not null
    and not exists (
        select
        from reached_delivery
        where reached_delivery.delivery_id = met.delivery_id
    );

drop table met;

insert into reached_transaction (transaction_id)
select transaction_id from frontier_transaction;

insert into reached_line_item (web_order_line_item_id)
select web_order_line_item_id from frontier_line_item;

insert into reached_delivery (delivery_id)
select delivery_id from frontier_delivery;

analyze frontier_transaction;

analyze frontier_line_item;

analyze frontier_delivery;

select
    (select count(*) from frontier_transaction)
    + (select count(*) from frontier_line_item)
    + (select count(*) from frontier_delivery) as names
