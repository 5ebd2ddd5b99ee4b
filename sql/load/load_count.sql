-- What tonight's files brought, counted from the tables; taken before the load changes them.
--
-- `arrived` is what the server received: the program compares it with what it sent. `new` is what was
-- not known before, each identity once.

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
        (select count(*) from staging_evidence) as arrived,
        count(*) as new
    from (
        select distinct environment, transaction_id
        from staging_evidence
    ) as told
    where not exists (
        select
        from store_transaction
        where
            store_transaction.environment = told.environment
            and store_transaction.transaction_id = told.transaction_id
    )

),

delivery_count as (

    select
        (select count(*) from staging_delivery) as arrived,
        count(*) as new
    from (select distinct delivery_id from staging_delivery) as told
    where not exists (
        select from delivery_record where delivery_record.delivery_id = told.delivery_id
    )

),

catalogue_count as (

    select
        (select count(*) from staging_catalogue where member = 'listed') as arrived,
        count(*) as new
    from (select distinct product_id from staging_catalogue where member = 'listed') as told
    where not exists (
        select from catalogue_statement where catalogue_statement.product_id = told.product_id
    )

)

select 'documents' as section, arrived, new from document_count
union all
select 'transactions', arrived, new from transaction_count
union all
select 'deliveries', arrived, new from delivery_count
union all
select 'catalogue_entries', arrived, new from catalogue_count
