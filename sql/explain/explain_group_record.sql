-- Returns the records of the days before as-of (cause_days) whose attempts were made by a server, or had an error, that
-- is explained, and did not end in a delivery. The files of these days are read.
--
-- Takes  tieout.explained_as: server or error; tieout.explained_name
-- Gives  the named_record of carried_placed_record.sql, with transaction_id, original_number, line_item_number,
--        product_id, account_id, status, occurred_at, server, error, file_id, line
with

-- The workers of a cluster cannot look up the first file.
asked as materialized (

    select
        given.kind,
        given.name,
        night.as_of,
        night.causes_since as since,
        first_file_since(night.causes_since) as first_file_id
    from (
        select
            current_setting('tieout.explained_as') as kind,
            current_setting('tieout.explained_name') collate "C" as name
    ) as given
    cross join night

)

select
    delivery_record.delivery_id,
    delivery_record.content_hash,
    delivery_record.transaction_number,
    delivery_record.transaction_id,
    delivery_record.original_number,
    delivery_record.line_item_number,
    delivery_record.product_id,
    delivery_record.account_id,
    delivery_record.environment,
    delivery_record.status,
    delivery_record.occurred_at,
    delivery_record.server,
    delivery_record.error,
    delivery_record.file_id,
    delivery_record.line
from asked
inner join delivery_record
    on asked.first_file_id <= delivery_record.file_id
    and asked.since <= delivery_record.occurred_at
    and asked.as_of >= delivery_record.occurred_at
where
    delivery_record.status <> 'delivered'
    and (
        asked.name = case asked.kind
            when 'server' then delivery_record.server
            else error_kind(delivery_record.error)
        end
        -- A single word with a digit; its kind is #.
        or (asked.kind = 'error' and asked.name = delivery_record.error)
    )
