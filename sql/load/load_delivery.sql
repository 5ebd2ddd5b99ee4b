-- Inserts tonight's delivery records that the ledger does not contain yet.
--
-- Of the deliveries in retold_delivery (load_count.sql), new records are computed before the insert
-- (load_document.sql). The records of all other deliveries are new.
create temporary table new_delivery_record on commit drop as
with

known as (

    select
        stored_delivery.delivery_id,
        stored_delivery.content_hash
    from retold_delivery
    inner join stored_delivery on retold_delivery.delivery_id = stored_delivery.delivery_id
    where retold_delivery.is_known

)

select distinct on (delivery_id, content_hash)
    delivery_id, content_hash, transaction_number, product_id, status, occurred_at, environment,
    original_number, line_item_number, account_id, device_id, server, region,
    app_version, error, bytes, revision, file_id, line
from staging_delivery
where
    exists (
        select from retold_delivery where retold_delivery.delivery_id = staging_delivery.delivery_id
    )
    and not exists (
        select
        from known
        where
            known.delivery_id = staging_delivery.delivery_id
            and known.content_hash = staging_delivery.content_hash
    )
order by delivery_id, content_hash, file_id, line;

insert into stored_delivery (
    delivery_id, content_hash, transaction_number, product_number, status_code, occurred_at, environment,
    original_number, line_item_number, account_id, device_id, server, region,
    app_version, error, bytes, revision, file_id, line
)
select
    delivery_id, content_hash, transaction_number, product_number, status_code(status), occurred_at, environment,
    original_number, line_item_number, account_id, device_id, server, region,
    app_version, error, bytes, revision, file_id, line
from new_delivery_record
inner join recorded_product using (product_id);

insert into stored_delivery (
    delivery_id, content_hash, transaction_number, product_number, status_code, occurred_at, environment,
    original_number, line_item_number, account_id, device_id, server, region,
    app_version, error, bytes, revision, file_id, line
)
select
    delivery_id, content_hash, transaction_number, product_number, status_code(status), occurred_at, environment,
    original_number, line_item_number, account_id, device_id, server, region,
    app_version, error, bytes, revision, file_id, line
from staging_delivery
inner join recorded_product using (product_id)
where not exists (
    select from retold_delivery where retold_delivery.delivery_id = staging_delivery.delivery_id
)
