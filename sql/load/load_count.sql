-- What tonight's files brought, counted from the tables; taken before the load changes them.
--
-- Leaves behind  retold_transaction: transactions told more than once tonight, or known before;
--                retold_delivery:    the same of deliveries.
--
-- All others are told once and for the first time: nearly all of a first night. They need neither
-- order nor merging, and their number is what is left of all that arrived.
--
-- `arrived` is what the server received: the program compares it with what it sent. `new` is what was
-- not known before, each identity once.

analyze staging_evidence (environment, transaction_id);

create temporary table retold_transaction on commit drop as
with

told as (

    select
        environment,
        transaction_id,
        count(*) as pieces
    from staging_evidence
    group by environment, transaction_id

)

select
    told.environment,
    told.transaction_id,
    told.pieces,
    store_transaction.transaction_id is not null as is_known
from told
left join store_transaction using (environment, transaction_id)
where told.pieces > 1 or store_transaction.transaction_id is not null;

analyze retold_transaction;

analyze staging_delivery (delivery_id);

create temporary table retold_delivery on commit drop as
with

told as (

    select
        delivery_id,
        count(*) as pieces,
        exists (
            select
            from delivery_record
            where delivery_record.delivery_id = staging_delivery.delivery_id
        ) as is_known
    from staging_delivery
    group by delivery_id

)

select
    delivery_id,
    pieces,
    is_known
from told
where pieces > 1 or is_known;

analyze retold_delivery;

with

document_count as (

    select
        count(*) as arrived,
        count(distinct document_hash) filter (
            where not exists (
                select from document where document.document_hash = staging_document.document_hash
            )
        ) as new
    from staging_document

),

transaction_count as (

    select
        arrived.pieces as arrived,
        arrived.pieces - coalesce(sum(retold_transaction.pieces), 0)
        + count(*) filter (where not retold_transaction.is_known) as new
    from (select count(*) as pieces from staging_evidence) as arrived
    left join retold_transaction on true
    group by arrived.pieces

),

delivery_count as (

    select
        arrived.pieces as arrived,
        arrived.pieces - coalesce(sum(retold_delivery.pieces), 0)
        + count(*) filter (where not retold_delivery.is_known) as new
    from (select count(*) as pieces from staging_delivery) as arrived
    left join retold_delivery on true
    group by arrived.pieces

),

catalogue_count as (

    select
        (select count(*) from staging_catalogue where member = 'listed') as arrived,
        count(*) as new
    from (select distinct product_id from staging_catalogue where member = 'listed') as told
    where not exists (
        select from catalogue_statement where catalogue_statement.product_id = told.product_id
    )

),

-- A client's record has no id: what it says is what it is known by.
client_transaction_count as (

    select
        count(*) as arrived,
        count(distinct statement_hash) filter (
            where not exists (
                select
                from client_transaction
                where client_transaction.statement_hash = staging_client_transaction.statement_hash
            )
        ) as new
    from staging_client_transaction

),

client_invalid_product_count as (

    select
        count(*) as arrived,
        count(distinct statement_hash) filter (
            where not exists (
                select
                from client_invalid_product
                where
                    client_invalid_product.statement_hash
                    = staging_client_invalid_product.statement_hash
            )
        ) as new
    from staging_client_invalid_product

)

select 'documents' as section, arrived, new from document_count
union all
select 'transactions', arrived, new from transaction_count
union all
select 'deliveries', arrived, new from delivery_count
union all
select 'catalogue_entries', arrived, new from catalogue_count
union all
select
    'client_records',
    client_transaction_count.arrived + client_invalid_product_count.arrived,
    client_transaction_count.new + client_invalid_product_count.new
from client_transaction_count
cross join client_invalid_product_count
