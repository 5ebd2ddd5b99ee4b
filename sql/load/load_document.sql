-- Inserts the documents of tonight that were never read before.
--
-- New documents are computed before the insert: a lookup in a table that grows in the same SQL statement reads all of
-- the table's new rows each time.
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
