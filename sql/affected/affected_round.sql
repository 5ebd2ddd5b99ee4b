-- Adds the names that share a record with a name that the last round added, and returns their number.
--
-- It runs until the number is 0. Then no transaction, delivery or claim outside of the affected part has a name in
-- common with one inside, so the affected part can be judged separately.
--
-- Each row of the frontier has one name. The other names are null and are left out before they are looked up.
--
-- Gives  names: the number of new names

insert into met (transaction_id, original_transaction_id, web_order_line_item_id, delivery_id)
select
    store_transaction.transaction_id,
    store_transaction.original_transaction_id,
    store_transaction.web_order_line_item_id,
    null
from frontier
inner join store_transaction
    on frontier.transaction_id = store_transaction.transaction_id
where frontier.transaction_id is not null
union all
select
    store_transaction.transaction_id,
    store_transaction.original_transaction_id,
    store_transaction.web_order_line_item_id,
    null
from frontier
inner join store_transaction
    on frontier.transaction_id = store_transaction.original_transaction_id
where frontier.transaction_id is not null
union all
select
    store_transaction.transaction_id,
    store_transaction.original_transaction_id,
    store_transaction.web_order_line_item_id,
    null
from frontier
inner join store_transaction
    on frontier.web_order_line_item_id = store_transaction.web_order_line_item_id
where frontier.web_order_line_item_id is not null
union all
select
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.delivery_id
from frontier
inner join delivery_record
    on frontier.transaction_id = delivery_record.transaction_id
where frontier.transaction_id is not null
union all
select
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.delivery_id
from frontier
inner join delivery_record
    on frontier.transaction_id = delivery_record.original_transaction_id
where frontier.transaction_id is not null
union all
select
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.delivery_id
from frontier
inner join delivery_record
    on frontier.web_order_line_item_id = delivery_record.web_order_line_item_id
where frontier.web_order_line_item_id is not null
union all
select
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.delivery_id
from frontier
inner join delivery_record on frontier.delivery_id = delivery_record.delivery_id
where frontier.delivery_id is not null
union all
select
    client_transaction.transaction_id,
    client_transaction.original_transaction_id,
    null,
    null
from frontier
inner join client_transaction
    on frontier.transaction_id = client_transaction.transaction_id
where frontier.transaction_id is not null
union all
select
    client_transaction.transaction_id,
    client_transaction.original_transaction_id,
    null,
    null
from frontier
inner join client_transaction
    on frontier.transaction_id = client_transaction.original_transaction_id
where frontier.transaction_id is not null;

-- Tables that are emptied: a round that creates its own takes several times as long.
truncate frontier;

insert into frontier (transaction_id, web_order_line_item_id, delivery_id)
select named.transaction_id, null, null
from (
    select transaction_id from met
    union
    select original_transaction_id from met
) as named
where
    named.transaction_id is not null
    and not exists (
        select
        from affected_transaction
        where affected_transaction.transaction_id = named.transaction_id
    )
union all
select distinct null, web_order_line_item_id, null
from met
where
    web_order_line_item_id is not null
    and not exists (
        select
        from affected_line_item
        where affected_line_item.web_order_line_item_id = met.web_order_line_item_id
    )
union all
select distinct null, null, delivery_id
from met
where
    delivery_id is not null
    and not exists (
        select
        from affected_delivery
        where affected_delivery.delivery_id = met.delivery_id
    );

insert into affected_transaction (transaction_id)
select transaction_id from frontier where transaction_id is not null;

insert into affected_line_item (web_order_line_item_id)
select web_order_line_item_id from frontier where web_order_line_item_id is not null;

insert into affected_delivery (delivery_id)
select delivery_id from frontier where delivery_id is not null;

truncate met;

select count(*) as names from frontier
