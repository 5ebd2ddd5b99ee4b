-- Counts what tonight's files contain and how much of it is new. It runs before the load changes the tables.
--
-- Leaves behind  recurring_transaction: transactions that tonight's files contain several times, or that the ledger
--                contains;
--                recurring_delivery: the same for deliveries.
--
-- All other transactions and deliveries are new and come once. On a first night these are nearly all. They need neither
-- sorting nor merging, and they are counted as the difference: all rows minus the rows of these.
--
-- The column `arrived` is the number of rows that the server received. The program compares it with the number that it
-- sent. The column `new` is the number of identities that were not known before, each counted once.

analyze staging_evidence (environment_code, transaction_number);

create temporary table recurring_transaction on commit drop as
with

-- Most transactions come once. One id in two environments only adds candidates, which are counted exactly below.
repeated as materialized (

    select transaction_number
    from (
        -- Sorting one number is faster than a hash table of all.
        select transaction_number
        from staging_evidence
        order by transaction_number
    ) as sorted
    group by transaction_number
    having count(*) > 1

),

candidate as (

    select
        environment_code,
        transaction_number,
        count(*) as pieces
    from staging_evidence
    where transaction_number in (select transaction_number from repeated)
    group by environment_code, transaction_number

),

known as (

    select
        candidate.environment_code,
        candidate.transaction_number
    from candidate
    inner join store_transaction using (environment_code, transaction_number)

),

marked_candidate as (

    select
        candidate.environment_code,
        candidate.transaction_number,
        candidate.pieces,
        known.transaction_number is not null as is_known
    from candidate
    left join known using (environment_code, transaction_number)

),

single as (

    select
        environment_code,
        transaction_number
    from staging_evidence
    where
        not exists (
            select
            from repeated
            where repeated.transaction_number = staging_evidence.transaction_number
        )

)

select
    environment_code,
    transaction_number,
    pieces,
    is_known
from marked_candidate
where pieces > 1 or is_known
union all
select
    single.environment_code,
    single.transaction_number,
    1,
    true
from single
inner join store_transaction using (environment_code, transaction_number);

-- For an anti join with a table that is known to be empty, the planner chooses a loop. A hash join takes less than half
-- of its time on a large night, so an empty table is left without statistics.
do $$
begin
    if exists (select from recurring_transaction) then
        analyze recurring_transaction;
    end if;
end
$$;

analyze staging_delivery (delivery_id);

create temporary table recurring_delivery on commit drop as
with

repeated as materialized (

    select delivery_hash
    from (
        select hashtextextended(delivery_id, 0) as delivery_hash
        from staging_delivery
        order by delivery_hash
    ) as sorted
    group by delivery_hash
    having count(*) > 1

),

known as (

    select distinct staging_delivery.delivery_id
    from staging_delivery
    inner join delivery_record using (delivery_id)

),

candidate as (

    select
        delivery_id,
        count(*) as pieces
    from staging_delivery
    where hashtextextended(delivery_id, 0) in (select delivery_hash from repeated)
    group by delivery_id

)

select
    coalesce(candidate.delivery_id, known.delivery_id) as delivery_id,
    coalesce(candidate.pieces, 1) as pieces,
    known.delivery_id is not null as is_known
from candidate
full join known on candidate.delivery_id = known.delivery_id
where candidate.pieces > 1 or known.delivery_id is not null;

do $$
begin
    if exists (select from recurring_delivery) then
        analyze recurring_delivery;
    end if;
end
$$;

with

document_count as (

    select
        (select count(*) from staging_document) as arrived,
        count(distinct document_hash) as new
    from staging_document
    where not exists (
        select from document where document.document_hash = staging_document.document_hash
    )

),

transaction_count as (

    select
        arrived.pieces as arrived,
        arrived.pieces - coalesce(sum(recurring_transaction.pieces), 0)
        + count(*) filter (where not recurring_transaction.is_known) as new
    from (select count(*) as pieces from staging_evidence) as arrived
    left join recurring_transaction on true
    group by arrived.pieces

),

delivery_count as (

    select
        arrived.pieces as arrived,
        arrived.pieces - coalesce(sum(recurring_delivery.pieces), 0)
        + count(*) filter (where not recurring_delivery.is_known) as new
    from (select count(*) as pieces from staging_delivery) as arrived
    left join recurring_delivery on true
    group by arrived.pieces

),

catalogue_count as (

    select
        (select count(*) from staging_catalogue where member = 'listed') as arrived,
        count(*) as new
    from (select distinct product_id from staging_catalogue where member = 'listed') as listed
    where not exists (
        select from catalogue_fact where catalogue_fact.product_id = listed.product_id
    )

),

-- A record of an app has no id. It is identified by its whole content.
client_transaction_count as (

    select
        (select count(*) from staging_client_transaction) as arrived,
        count(distinct content_hash) as new
    from staging_client_transaction
    where not exists (
        select
        from client_transaction
        where client_transaction.content_hash = staging_client_transaction.content_hash
    )

),

client_invalid_product_count as (

    select
        (select count(*) from staging_client_invalid_product) as arrived,
        count(distinct content_hash) as new
    from staging_client_invalid_product
    where not exists (
        select
        from client_invalid_product
        where
            client_invalid_product.content_hash = staging_client_invalid_product.content_hash
    )

),

-- A report is identified by its content, and is that of the first file. In another file it can begin at another line.
apple_row_count as (

    select
        (select count(*) from staging_apple_report) as arrived,
        count(*) as new
    from staging_apple_report
    where
        -- With coalesce the reports are hashed: the planner expects that almost no row is new.
        coalesce(
            (report_hash, file_id) in (
                select
                    report.report_hash,
                    min(report.file_id)
                from staging_apple_report as report
                group by report.report_hash
            ),
            false
        )
        and not exists (
            select from apple_report where apple_report.report_hash = staging_apple_report.report_hash
        )

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
union all
select 'apple_rows', arrived, new from apple_row_count
