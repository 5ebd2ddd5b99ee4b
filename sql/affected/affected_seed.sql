-- Finds the transactions, line items and deliveries that tonight touches directly: those with new statements in
-- tonight's files, those that time has changed since the last judged night (carried_due.sql), and those of products
-- with new catalogue statements.
--
-- It runs before the load and uses indexes only, so the history is not read, unless the catalogue has changed for a
-- product of the ledger. It also touches the statements of open lines whose files have grown, because the load removes
-- them.
--
-- Takes         the staging tables, judged, grown_file, and the tables of affected_start.sql.
-- Fills         affected_transaction, affected_line_item, affected_delivery, affected_product, frontier.
-- Leaves behind taken_delivery, for affected_near_miss.sql.

-- Evidence with a statement that is not known yet, or that is older or younger than all known evidence of its
-- statement.
create temporary table known_statement on commit drop as
select
    staging_evidence.environment_code,
    staging_evidence.transaction_number,
    staging_evidence.statement_hash,
    staging_evidence.evidence_at
from staging_evidence
inner join stored_evidence
    on staging_evidence.environment_code = stored_evidence.environment_code
    and staging_evidence.transaction_number = stored_evidence.transaction_number
    and staging_evidence.statement_hash = stored_evidence.statement_hash
    and staging_evidence.evidence_at >= stored_evidence.evidence_at
    and coalesce(stored_evidence.last_evidence_at >= staging_evidence.evidence_at, true);

create index on known_statement (transaction_number, statement_hash);

create temporary table new_statement on commit drop as
select
    staging_evidence.transaction_number,
    staging_evidence.original_number,
    staging_evidence.line_item_number
from staging_evidence
where not exists (
    select
    from known_statement
    where
        known_statement.environment_code = staging_evidence.environment_code
        and known_statement.transaction_number = staging_evidence.transaction_number
        and known_statement.statement_hash = staging_evidence.statement_hash
        and known_statement.evidence_at = staging_evidence.evidence_at
);

drop table known_statement;

create temporary table known_delivery on commit drop as
select
    staging_delivery.delivery_id,
    staging_delivery.statement_hash
from staging_delivery
inner join delivery_record using (delivery_id, statement_hash);

create index on known_delivery (statement_hash);

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
        and known_delivery.statement_hash = staging_delivery.statement_hash
);

drop table known_delivery;

-- A file that was read again because a setting has changed has several ids.
create temporary table grown_statement on commit drop as
select distinct
    open_statement.kind,
    open_statement.delivery_id,
    open_statement.statement_hash
from grown_file
inner join input_file as other on grown_file.file_id = other.file_id
inner join input_file as one on other.sha256 = one.sha256 and other.folder = one.folder
inner join open_statement on one.file_id = open_statement.file_id;

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
from grown_statement
inner join delivery_record
    on grown_statement.delivery_id = delivery_record.delivery_id
    and grown_statement.statement_hash = delivery_record.statement_hash
where grown_statement.kind = 'delivery_record';

insert into new_delivery (
    delivery_id, transaction_number, original_number, line_item_number
)
select
    delivery_id,
    transaction_number,
    original_number,
    line_item_number
from taken_delivery;

-- Products with a new catalogue statement. A statement about who offers or sells a product matters to transactions only
-- if there was no statement about the product before.
create temporary table new_product on commit drop as
select distinct staging_catalogue.product_id
from staging_catalogue
where
    not exists (
        select
        from catalogue_statement
        where
            catalogue_statement.product_id = staging_catalogue.product_id
            and catalogue_statement.member = staging_catalogue.member
            and catalogue_statement.currency = staging_catalogue.currency
            and catalogue_statement.storefront = staging_catalogue.storefront
            and catalogue_statement.price_from = staging_catalogue.price_from
            and catalogue_statement.value = staging_catalogue.value
    )
    and (
        staging_catalogue.member not in (
            'offered_by_app', 'known_to_store', 'for_sale', 'store_list_covers'
        )
        or not exists (
            select
            from catalogue_statement
            where
                catalogue_statement.product_id = staging_catalogue.product_id
                and catalogue_statement.member <> 'price'
        )
    );

create temporary table known_product on commit drop as
select recorded_product.product_number
from new_product
inner join recorded_product on new_product.product_id = recorded_product.product_id;

-- The tables are read only if there is such a product.
create temporary table product_transaction on commit drop as
select transaction_number
from store_transaction
where
    (select count(*) from known_product) > 0
    and product_number in (select product_number from known_product);

create temporary table product_delivery on commit drop as
select
    delivery_id,
    transaction_number
from delivery_record
where
    (select count(*) from known_product) > 0
    and product_number in (select product_number from known_product);

insert into affected_transaction (transaction_number)
select transaction_number from new_statement
union
select original_number from new_statement where original_number is not null
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
        where client_transaction.statement_hash = staging_client_transaction.statement_hash
    )
union
select identifier_number(named.transaction_id)
from grown_statement
inner join client_transaction on grown_statement.statement_hash = client_transaction.statement_hash
cross join unnest(
    array[client_transaction.transaction_id, client_transaction.original_transaction_id]
) as named (transaction_id)
where grown_statement.kind = 'client_transaction' and named.transaction_id is not null
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
select line_item_number from new_statement where line_item_number is not null
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
from grown_statement
inner join client_invalid_product
    on grown_statement.statement_hash = client_invalid_product.statement_hash
where grown_statement.kind = 'client_invalid_product'
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

drop table new_statement;

drop table new_delivery;

drop table new_product;

drop table known_product;

drop table product_transaction;

drop table product_delivery;

drop table grown_statement;

analyze frontier
