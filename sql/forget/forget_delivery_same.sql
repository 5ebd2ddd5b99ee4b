-- Deletes a delivery record in which names are replaced, if another one then says the same.
--
-- Takes  $1, $2: the delivery and the hash of the record.
--        $3: the new hash.
delete from stored_delivery as one
where
    one.delivery_id = $1
    and one.content_hash = $2::bigint
    and one.content_hash <> $3::bigint
    and exists (
        select 1
        from stored_delivery as other
        where
            other.transaction_number = one.transaction_number
            and other.delivery_id = one.delivery_id
            and other.content_hash = $3::bigint
    )
