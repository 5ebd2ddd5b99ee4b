-- Documents of tonight that were never read before. They are found out before any is inserted: a look-up in a
-- table that grows at the same time reads all that is new in it each time.
create temporary table new_document on commit drop as
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
order by document_hash, file_id, line;

insert into document (document_hash, file_id, line, status)
select
    document_hash,
    file_id,
    line,
    status
from new_document
