-- Returns one row for each report of an app that contains one of the given names, in the form in which it is loaded.
--
-- Takes  $1: an array with the names.
select
    content_hash,
    file_id,
    product_id,
    extract(epoch from reported_at)::bigint as reported_at,
    app_version,
    account_id,
    device_id
from client_invalid_product
where account_id = any($1::text[]) or device_id = any($1::text[])
