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
    if needs_analyze('staging_client_transaction', 'client_transaction') then
        analyze client_transaction;
    end if;
    if needs_analyze('staging_client_invalid_product', 'client_invalid_product') then
        analyze client_invalid_product;
    end if;
end
$$
