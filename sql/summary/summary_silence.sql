-- Returns the silences that make missing deliveries uncertain, the newest first.
--
-- Gives  server, begins_at, ends_at
select distinct
    silence.server,
    csv_instant(silence.begins_at) as begins_at,
    csv_instant(silence.ends_at) as ends_at
from silence
inner join carried_missing_delivery as missing
    on missing.due_at >= silence.begins_at and missing.purchased_at < silence.ends_at
where
    missing.reason = 'no_records'
    and exists (
        select
        from source_product
        where
            source_product.product_id = missing.product_id
            and source_product.server = silence.server
            and is_served_before((missing.purchased_at at time zone 'UTC')::date, source_product.days)
    )
order by
    begins_at desc,
    silence.server
