-- Replaces the names in one delivery record.
--
-- Takes  $1, $2: the delivery and the hash of the record.
--        $3: the new hash.
--        $4, $5, $6: the new texts of account_id, device_id and error.
update stored_delivery
set
    content_hash = $3::bigint,
    account_id = $4,
    device_id = $5,
    error = $6
where delivery_id = $1 and content_hash = $2::bigint
