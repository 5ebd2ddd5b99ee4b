-- Inserts tonight's delivery records that the ledger does not contain yet.
--
-- Of the deliveries in recurring_delivery (load_count.sql), new records are computed before the insert
-- (load_document.sql). The records of all other deliveries are new.
create temporary table known_delivery_record on commit drop as
select
    stored_delivery.delivery_id,
    stored_delivery.content_hash
from recurring_delivery
inner join stored_delivery on recurring_delivery.delivery_id = stored_delivery.delivery_id
where recurring_delivery.is_known;

create temporary table new_delivery_record on commit drop as
select distinct on (delivery_id, content_hash) staged_delivery.*
from staged_delivery
where
    exists (
        select from recurring_delivery where recurring_delivery.delivery_id = staged_delivery.delivery_id
    )
    and not exists (
        select
        from known_delivery_record as known
        where
            known.delivery_id = staged_delivery.delivery_id
            and known.content_hash = staged_delivery.content_hash
    )
order by delivery_id, content_hash, file_id, line;

insert into stored_delivery (
    delivery_id, content_hash, transaction_number, product_number, status_code, occurred_at, environment,
    original_number, line_item_number, account_id, device_id, server, region,
    app_version, error, bytes, revision, file_id, line
)
select
    delivery_id, content_hash, transaction_number, product_number, status_code, occurred_at, environment,
    original_number, line_item_number, account_id, device_id, server, region,
    app_version, error, bytes, revision, file_id, line
from (
    select new_delivery_record.*
    from new_delivery_record
    union all
    select staged_delivery.*
    from staged_delivery
    where not exists (
        select from recurring_delivery where recurring_delivery.delivery_id = staged_delivery.delivery_id
    )
) as record
