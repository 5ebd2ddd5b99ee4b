-- Replaces the names in one piece of evidence. If another one then says the same, only that one remains: it has the
-- ages and the place of both, as if they were loaded as one.
--
-- Takes  $1: the partition of the row; $2: its place there.
--        $3: the new hash of the statement.
--        $4 to $6: the new texts of account_id, device_id and account_token.
with

same as (

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
        last_evidence_at = greatest(other.last_evidence_at, one.last_evidence_at)
    from stored_evidence as one
    where
        one.tableoid = $1::oid
        and one.ctid = $2::tid
        and (other.tableoid, other.ctid) <> (one.tableoid, one.ctid)
        and other.environment = one.environment
        and other.transaction_number = one.transaction_number
        and other.statement_hash = $3::uuid
    returning other.statement_hash

),

removed as (

    delete from stored_evidence
    where tableoid = $1::oid and ctid = $2::tid and exists (select from same)

)

update stored_evidence
set
    statement_hash = $3::uuid,
    account_id = $4,
    device_id = $5,
    account_token = $6
where tableoid = $1::oid and ctid = $2::tid and not exists (select from same)
