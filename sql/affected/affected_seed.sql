-- Finds the transactions, line items and deliveries that tonight touches directly: those with new contents in
-- tonight's files, those that time has changed since the last judged night (carried_due.sql), and those of products
-- with new catalogue facts.
--
-- It runs before the load and uses indexes only, so the history is not read, unless the catalogue has changed for a
-- product of the ledger. It also touches the records of open lines whose files have grown, because the load removes
-- them.
--
-- Takes         the staging tables, judged, grown_file, and the tables of affected_start.sql.
-- Fills         affected_transaction, affected_line_item, affected_delivery, affected_product, frontier.
-- Leaves behind taken_delivery, for affected_possible_match.sql.

-- Evidence with a content that is not known yet, or that is older or younger than all known evidence with that
-- content.
create temporary table known_evidence on commit drop as
select
    staging_evidence.environment_code,
    staging_evidence.transaction_number,
    staging_evidence.content_hash,
    staging_evidence.evidence_at
from staging_evidence
inner join stored_evidence
    on staging_evidence.environment_code = stored_evidence.environment_code
    and staging_evidence.transaction_number = stored_evidence.transaction_number
    and staging_evidence.content_hash = stored_evidence.content_hash
    and staging_evidence.evidence_at >= stored_evidence.evidence_at
    and coalesce(stored_evidence.last_evidence_at >= staging_evidence.evidence_at, true);

create index on known_evidence (transaction_number, content_hash);

create temporary table new_evidence on commit drop as
select
    staging_evidence.transaction_number,
    staging_evidence.original_number,
    staging_evidence.line_item_number
from staging_evidence
where not exists (
    select
    from known_evidence
    where
        known_evidence.environment_code = staging_evidence.environment_code
        and known_evidence.transaction_number = staging_evidence.transaction_number
        and known_evidence.content_hash = staging_evidence.content_hash
        and known_evidence.evidence_at = staging_evidence.evidence_at
);

drop table known_evidence;

create temporary table known_delivery on commit drop as
select
    staging_delivery.delivery_id,
    staging_delivery.content_hash
from staging_delivery
inner join delivery_record using (delivery_id, content_hash);

create index on known_delivery (content_hash);

create temporary table new_delivery on commit drop as
select
    staging_delivery.delivery_id,
    staging_delivery.transaction_number,
    staging_delivery.original_number,
    staging_delivery.line_item_number
from staging_delivery
where not exists (
    select
    from known_delivery
    where
        known_delivery.delivery_id = staging_delivery.delivery_id
        and known_delivery.content_hash = staging_delivery.content_hash
);

drop table known_delivery;

-- A file that was read again because a setting has changed has several ids.
create temporary table grown_record on commit drop as
select distinct
    open_record.kind,
    open_record.delivery_id,
    open_record.content_hash
from grown_file
inner join input_file as other on grown_file.file_id = other.file_id
inner join input_file as one on other.sha256 = one.sha256 and other.folder = one.folder
inner join open_record on one.file_id = open_record.file_id;

-- The delivery records that the load removes. They are no possible matches any more.
create temporary table taken_delivery on commit drop as
select
    delivery_record.delivery_id,
    delivery_record.transaction_number,
    delivery_record.transaction_id,
    delivery_record.original_number,
    delivery_record.line_item_number,
    delivery_record.account_id,
    delivery_record.product_id,
    delivery_record.status,
    delivery_record.occurred_at
from grown_record
inner join delivery_record
    on grown_record.delivery_id = delivery_record.delivery_id
    and grown_record.content_hash = delivery_record.content_hash
where grown_record.kind = 'delivery_record';

insert into new_delivery (
    delivery_id, transaction_number, original_number, line_item_number
)
select
    delivery_id,
    transaction_number,
    original_number,
    line_item_number
from taken_delivery;

-- Products with a new catalogue fact. A value that says who offers or sells a product matters to transactions only
-- if there was no value for the product before.
create temporary table new_product on commit drop as
select distinct staging_catalogue.product_id
from staging_catalogue
where
    not exists (
        select
        from catalogue_fact
        where
            catalogue_fact.product_id = staging_catalogue.product_id
            and catalogue_fact.member = staging_catalogue.member
            and catalogue_fact.currency = staging_catalogue.currency
            and catalogue_fact.storefront = staging_catalogue.storefront
            and catalogue_fact.price_from = staging_catalogue.price_from
            and catalogue_fact.value = staging_catalogue.value
    )
    and (
        staging_catalogue.member not in (
            'offered_by_app', 'known_to_store', 'for_sale', 'store_list_covers'
        )
        or not exists (
            select
            from catalogue_fact
            where
                catalogue_fact.product_id = staging_catalogue.product_id
                and catalogue_fact.member <> 'price'
        )
    );

create temporary table known_product on commit drop as
select recorded_product.product_number
from new_product
inner join recorded_product on new_product.product_id = recorded_product.product_id;

-- The tables are read only if there is such a product. With coalesce the products are hashed. Otherwise each row would
-- be compared with each product, because hash joins are switched off here.
create temporary table product_transaction on commit drop as
select transaction_number
from store_transaction
where
    (select count(*) from known_product) > 0
    and coalesce(product_number in (select product_number from known_product), false);

create temporary table product_delivery on commit drop as
select
    delivery_id,
    transaction_number
from delivery_record
where
    (select count(*) from known_product) > 0
    and coalesce(product_number in (select product_number from known_product), false);

insert into affected_transaction (transaction_number)
select transaction_number from new_evidence
union
select original_number from new_evidence where original_number is not null
union
select transaction_number from new_delivery
union
select original_number from new_delivery where original_number is not null
union
select identifier_number(named.transaction_id)
from staging_client_transaction
cross join unnest(
    array[
        staging_client_transaction.transaction_id, staging_client_transaction.original_transaction_id
    ]
) as named (transaction_id)
where
    named.transaction_id is not null
    and not exists (
        select
        from client_transaction
        where client_transaction.content_hash = staging_client_transaction.content_hash
    )
union
select identifier_number(named.transaction_id)
from grown_record
inner join client_transaction on grown_record.content_hash = client_transaction.content_hash
cross join unnest(
    array[client_transaction.transaction_id, client_transaction.original_transaction_id]
) as named (transaction_id)
where grown_record.kind = 'client_transaction' and named.transaction_id is not null
union
select identifier_number(carried_due.transaction_id)
from carried_due
where carried_due.at <= (select as_of from night)
union
select transaction_number from product_transaction
union
select transaction_number from product_delivery
union
select identifier_number(coalesce(client_transaction.transaction_id, client_transaction.original_transaction_id))
from client_transaction
where
    client_transaction.product_id in (select product_id from new_product)
    and coalesce(client_transaction.transaction_id, client_transaction.original_transaction_id)
    is not null;

insert into affected_line_item (line_item_number)
select line_item_number from new_evidence where line_item_number is not null
union
select line_item_number from new_delivery where line_item_number is not null;

insert into affected_delivery (delivery_id)
select delivery_id from new_delivery
union
select delivery_id from product_delivery;

insert into affected_product (product_id)
select product_id from staging_client_invalid_product
union
select client_invalid_product.product_id
from grown_record
inner join client_invalid_product
    on grown_record.content_hash = client_invalid_product.content_hash
where grown_record.kind = 'client_invalid_product'
union
select client_invalid_product.product_id
from client_invalid_product
where
    client_invalid_product.reported_at
    > (select run.as_of from judged inner join run on judged.run_id = run.run_id);

insert into frontier (transaction_number, line_item_number, delivery_id)
select transaction_number, null, null from affected_transaction
union all
select null, line_item_number, null from affected_line_item
union all
select null, null, delivery_id from affected_delivery;

drop table new_evidence, new_delivery, new_product, known_product, product_transaction, product_delivery, grown_record;

analyze frontier
