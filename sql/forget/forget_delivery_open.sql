-- Gives an open line's delivery record, in which names are replaced, its new hash.
--
-- Takes  $1, $2: the delivery and the hash of the record.
--        $3: the new hash.
update open_record
set content_hash = $3::bigint
where kind = 'delivery_record' and delivery_id = $1 and content_hash = $2::bigint
