-- Documents of tonight that were never read before.
insert into document (document_hash, file_id, line, status)
select distinct on (document_hash)
    document_hash,
    file_id,
    line,
    status
from staging_document
where not exists (
    select
    from document
    where document.document_hash = staging_document.document_hash
)
order by document_hash, file_id, line
