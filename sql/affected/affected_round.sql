-- Adds the names that share a record with a name that the last round added, and returns their number.
--
-- It runs until the number is 0. Then no transaction, delivery or claim outside of the affected part has a name in
-- common with one inside, so the affected part can be judged separately.
--
-- It also notes the names that have records in the ledger. Noting too many names is harmless.
--
-- Each row of the frontier has one name. The other names are null and are left out before they are looked up.
--
-- Takes  the tables of affected_start.sql, and the ledger
-- Gives  names: the number of new names

insert into met (transaction_number, original_number, line_item_number, delivery_id)
select
    store_transaction.transaction_number,
    store_transaction.original_number,
    store_transaction.line_item_number,
    null
from frontier
inner join store_transaction
    on frontier.transaction_number = store_transaction.transaction_number
where frontier.transaction_number is not null
union all
select
    store_transaction.transaction_number,
    store_transaction.original_number,
    store_transaction.line_item_number,
    null
from frontier
inner join store_transaction
    on frontier.transaction_number = store_transaction.original_number
where frontier.transaction_number is not null
union all
select
    store_transaction.transaction_number,
    store_transaction.original_number,
    store_transaction.line_item_number,
    null
from frontier
inner join store_transaction
    on frontier.line_item_number = store_transaction.line_item_number
where frontier.line_item_number is not null
union all
select
    delivery_record.transaction_number,
    delivery_record.original_number,
    delivery_record.line_item_number,
    delivery_record.delivery_id
from frontier
inner join delivery_record
    on frontier.transaction_number = delivery_record.transaction_number
where frontier.transaction_number is not null
union all
select
    delivery_record.transaction_number,
    delivery_record.original_number,
    delivery_record.line_item_number,
    delivery_record.delivery_id
from frontier
inner join delivery_record
    on frontier.transaction_number = delivery_record.original_number
where frontier.transaction_number is not null
union all
select
    delivery_record.transaction_number,
    delivery_record.original_number,
    delivery_record.line_item_number,
    delivery_record.delivery_id
from frontier
inner join delivery_record
    on frontier.line_item_number = delivery_record.line_item_number
where frontier.line_item_number is not null
union all
select
    delivery_record.transaction_number,
    delivery_record.original_number,
    delivery_record.line_item_number,
    delivery_record.delivery_id
from frontier
inner join delivery_record on frontier.delivery_id = delivery_record.delivery_id
where frontier.delivery_id is not null
union all
select
    identifier_number(client_transaction.transaction_id),
    identifier_number(client_transaction.original_transaction_id),
    null,
    null
from frontier
inner join client_transaction
    on identifier_text(frontier.transaction_number) = client_transaction.transaction_id
where frontier.transaction_number is not null
union all
select
    identifier_number(client_transaction.transaction_id),
    identifier_number(client_transaction.original_transaction_id),
    null,
    null
from frontier
inner join client_transaction
    on identifier_text(frontier.transaction_number) = client_transaction.original_transaction_id
where frontier.transaction_number is not null;

insert into recorded_transaction (transaction_number)
select transaction_number from met where transaction_number is not null and delivery_id is null
union
select original_number from met where original_number is not null and delivery_id is null
on conflict do nothing;

insert into recorded_delivery (delivery_id)
select distinct delivery_id
from met
where delivery_id is not null
on conflict do nothing;

-- Tables that are emptied: a round that creates its own takes several times as long.
truncate frontier;

insert into frontier (transaction_number, line_item_number, delivery_id)
select named.transaction_number, null::bigint, null
from (
    select transaction_number from met
    union
    select original_number from met
) as named
where
    named.transaction_number is not null
    and not exists (
        select
        from affected_transaction
        where affected_transaction.transaction_number = named.transaction_number
    )
union all
select distinct null::bigint, line_item_number, null
from met
where
    line_item_number is not null
    and not exists (
        select
        from affected_line_item
        where affected_line_item.line_item_number = met.line_item_number
    )
union all
select distinct null::bigint, null::bigint, delivery_id
from met
where
    delivery_id is not null
    and not exists (
        select
        from affected_delivery
        where affected_delivery.delivery_id = met.delivery_id
    );

insert into affected_transaction (transaction_number)
select transaction_number from frontier where transaction_number is not null;

insert into affected_line_item (line_item_number)
select line_item_number from frontier where line_item_number is not null;

insert into affected_delivery (delivery_id)
select delivery_id from frontier where delivery_id is not null;

truncate met;

select count(*) as names from frontier
