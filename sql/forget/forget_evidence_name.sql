-- Replaces the names in one piece of evidence.
--
-- Takes  $1 to $3: the code of the environment, the number of the transaction and the hash of the piece.
--        $4: its new hash.
--        $5 to $7: the new texts of account_id, device_id and account_token.
update stored_evidence
set
    content_hash = $4::bigint,
    account_id = $5,
    device_id = $6,
    account_token = $7
where environment_code = $1 and transaction_number = $2::bigint and content_hash = $3::bigint
