-- Returns one row for each queue entry that contains one of the given names, in the form in which it is loaded.
--
-- Takes  $1: an array with the names.
select
    content_hash,
    file_id,
    environment,
    transaction_id,
    original_transaction_id,
    product_id,
    state,
    extract(epoch from occurred_at)::bigint as occurred_at,
    account_id,
    device_id,
    app_version
from client_transaction
where account_id = any($1::text[]) or device_id = any($1::text[])
