-- Records that the inbox contains receipts.
--
-- Takes  $1: a JSON array of objects with receipt_hash, account_id, device_id and storefront.
-- Fills  presented (refresh_start.sql)
insert into presented (receipt_hash, account_id, device_id, storefront)
select
    given.receipt_hash,
    given.account_id,
    given.device_id,
    given.storefront
from json_to_recordset($1::json) as given (
    receipt_hash bytea,
    account_id text,
    device_id text,
    storefront text
)
