-- Returns one row for each delivery record that contains one of the given names, in the form in which it is loaded. The
-- text of an error can contain a name anywhere.
--
-- Takes  $1: an array with the names, and with their spellings in texts.
select
    delivery_record.content_hash,
    delivery_record.file_id,
    delivery_record.delivery_id,
    delivery_record.transaction_id,
    delivery_record.product_id,
    delivery_record.status,
    extract(epoch from delivery_record.occurred_at)::bigint as occurred_at,
    delivery_record.environment,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.account_id,
    delivery_record.device_id,
    delivery_record.server,
    delivery_record.region,
    delivery_record.app_version,
    delivery_record.error,
    delivery_record.bytes,
    nullif(delivery_record.revision, 0) as revision
from delivery_record
where
    delivery_record.account_id = any($1::text[])
    or delivery_record.device_id = any($1::text[])
    or exists (
        select
        from unnest($1::text[]) as named (name)
        where position(named.name in delivery_record.error) > 0
    )
