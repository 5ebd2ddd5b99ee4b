-- Files that are read again: what counts as evidence, and whose signatures, may have changed too.

create or replace function reconsidered_file(settings jsonb) returns setof integer
language sql stable
begin atomic
    select distinct rejection.file_id
    from run
    inner join rejection on run.run_id = rejection.run_id
    where
        rejection.file_id is not null
        and (
            rejection.reason = 'foreign_bundle'
            and run.settings -> 'bundle_ids' <> reconsidered_file.settings -> 'bundle_ids'
            or (
                rejection.reason = 'missing_column'
                or rejection.reason = 'missing_field' and rejection.kind = 'delivery'
            )
            and run.settings -> 'delivery_columns' <> reconsidered_file.settings -> 'delivery_columns'
            or rejection.reason = 'too_large'
            and run.settings -> 'document_limit' <> reconsidered_file.settings -> 'document_limit'
            or rejection.reason = 'unsigned'
            and run.settings -> 'trust' is distinct from reconsidered_file.settings -> 'trust'
            or rejection.reason in ('bad_signature', 'untrusted_chain', 'expired_certificate')
            and run.settings -> 'trusted_roots'
            is distinct from reconsidered_file.settings -> 'trusted_roots'
            -- A program that did not know of trust knew no receipt but an answer of verifyReceipt.
            or rejection.reason in ('not_a_receipt', 'not_text', 'unknown_format')
            and run.settings -> 'trust' is null
        );
end
