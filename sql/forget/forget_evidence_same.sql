-- Deletes a piece of evidence in which names are replaced, if another one then says the same.
--
-- Takes  $1 to $3: the code of the environment, the number of the transaction and the hash of the piece.
--        $4: its new hash.
delete from stored_evidence as one
where
    one.environment_code = $1
    and one.transaction_number = $2::bigint
    and one.content_hash = $3::bigint
    and one.content_hash <> $4::bigint
    and exists (
        select 1
        from stored_evidence as other
        where
            other.environment_code = one.environment_code
            and other.transaction_number = one.transaction_number
            and other.content_hash = $4::bigint
    )
