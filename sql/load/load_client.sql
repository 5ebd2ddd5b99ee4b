-- Inserts the records of apps in tonight's files that the ledger does not contain yet.
--
-- New rows are computed before the insert (load_document.sql).
create temporary table new_client_transaction on commit drop as
select distinct on (content_hash) staging_client_transaction.*
from staging_client_transaction
where not exists (
    select
    from client_transaction
    where client_transaction.content_hash = staging_client_transaction.content_hash
)
order by content_hash, file_id, line;

insert into client_transaction (
    content_hash, environment, transaction_id, original_transaction_id, product_id, state,
    occurred_at, account_id, device_id, app_version, file_id, line
)
select
    content_hash, environment, transaction_id, original_transaction_id, product_id, state,
    occurred_at, account_id, device_id, app_version, file_id, line
from new_client_transaction;

create temporary table new_client_invalid_product on commit drop as
select distinct on (content_hash) staging_client_invalid_product.*
from staging_client_invalid_product
where not exists (
    select
    from client_invalid_product
    where client_invalid_product.content_hash = staging_client_invalid_product.content_hash
)
order by content_hash, file_id, line;

insert into client_invalid_product (
    content_hash, product_id, reported_at, app_version, account_id, device_id, file_id, line
)
select
    content_hash, product_id, reported_at, app_version, account_id, device_id, file_id, line
from new_client_invalid_product;

-- For the reason in load_key.sql.
do $$
begin
    if
        10 * pg_relation_size('staging_client_transaction') > pg_relation_size('client_transaction')
        or (select reltuples < 0 from pg_class where oid = 'client_transaction'::regclass)
    then
        analyze client_transaction;
    end if;
    if
        10 * pg_relation_size('staging_client_invalid_product')
        > pg_relation_size('client_invalid_product')
        or (select reltuples < 0 from pg_class where oid = 'client_invalid_product'::regclass)
    then
        analyze client_invalid_product;
    end if;
end
$$
