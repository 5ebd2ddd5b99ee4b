-- Removes a receipt from the list of those that are due, and returns its account, device and storefront.
--
-- Takes  $1: the receipt's hash.
delete from due
where receipt_hash = $1::bytea
returning
    account_id,
    device_id,
    storefront
