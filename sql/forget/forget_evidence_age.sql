-- Gives a piece of evidence the ages and the place of another one that says the same when names are replaced in it, as
-- if they were loaded as one.
--
-- Takes  $1 to $3: the code of the environment, the number of the transaction and the hash of the piece with names.
--        $4: its new hash.
update stored_evidence as other
set
    (evidence_at, file_id, line, pointer) = (
        select
            place.evidence_at,
            place.file_id,
            place.line,
            place.pointer
        from (
            values
            (one.evidence_at, one.file_id, one.line, one.pointer),
            (other.evidence_at, other.file_id, other.line, other.pointer)
        ) as place (evidence_at, file_id, line, pointer)
        order by place.evidence_at, place.file_id, place.line, place.pointer
        limit 1
    ),
    last_evidence_at = greatest(other.last_evidence_at, one.last_evidence_at),
    last_file_id = case
        when other.last_evidence_at < one.last_evidence_at then coalesce(one.last_file_id, one.file_id)
        when other.last_evidence_at is not null then coalesce(other.last_file_id, other.file_id)
    end
from stored_evidence as one
where
    one.environment_code = $1
    and one.transaction_number = $2::bigint
    and one.content_hash = $3::bigint
    and other.environment_code = $1
    and other.transaction_number = $2::bigint
    and other.content_hash = $4::bigint
    and other.content_hash <> one.content_hash
