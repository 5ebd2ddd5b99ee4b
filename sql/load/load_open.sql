-- Updates open_record: the records that only open lines contain. An open line is a last line without a line end.
--
-- A record that a whole line also contains is kept permanently. So is a record that was kept permanently before.
--
-- Takes  open_line: the file and the line number of each open line in tonight's files.

create temporary view staged_record as
select
    staged.kind,
    staged.delivery_id,
    staged.content_hash,
    staged.file_id,
    open_line.file_id is not null as is_open
from (
    select 'delivery_record' as kind, delivery_id, content_hash, file_id, line
    from staging_delivery
    union all
    -- Only a delivery has an id.
    select 'client_transaction', '', content_hash, file_id, line
    from staging_client_transaction
    union all
    select 'client_invalid_product', '', content_hash, file_id, line
    from staging_client_invalid_product
    union all
    select 'acknowledgement', '', content_hash, file_id, line
    from staging_acknowledgement
) as staged
left join open_line on staged.file_id = open_line.file_id and staged.line = open_line.line;

delete from open_record
using staged_record
where
    open_record.kind = staged_record.kind
    and open_record.content_hash = staged_record.content_hash
    and not staged_record.is_open
    -- Mostly there is no open line. Then the staged records are not read.
    and exists (select from open_record);

create temporary table staged_open_record on commit drop as
select
    kind,
    delivery_id,
    content_hash,
    file_id
from staged_record
where is_open;

-- Must run before the records are inserted (load_document.sql).
create temporary table known_record on commit drop as
select
    staged_open_record.kind,
    stored_delivery.delivery_id,
    stored_delivery.content_hash
from staged_open_record
inner join stored_delivery
    on staged_open_record.delivery_id = stored_delivery.delivery_id
    and staged_open_record.content_hash = stored_delivery.content_hash
where staged_open_record.kind = 'delivery_record';

insert into known_record (kind, delivery_id, content_hash)
select
    staged_open_record.kind,
    staged_open_record.delivery_id,
    staged_open_record.content_hash
from staged_open_record
inner join (
    select 'client_transaction' as kind, content_hash from client_transaction
    union all
    select 'client_invalid_product', content_hash from client_invalid_product
    union all
    select 'acknowledgement', content_hash from acknowledgement
) as kept on staged_open_record.kind = kept.kind and staged_open_record.content_hash = kept.content_hash;

create temporary table new_open_record on commit drop as
select distinct
    staged_open_record.file_id,
    staged_open_record.kind,
    staged_open_record.delivery_id,
    staged_open_record.content_hash
from staged_open_record
where
    (
        not exists (
            select
            from known_record
            where
                known_record.kind = staged_open_record.kind
                and known_record.delivery_id = staged_open_record.delivery_id
                and known_record.content_hash = staged_open_record.content_hash
        )
        or exists (
            select
            from open_record
            where
                open_record.kind = staged_open_record.kind
                and open_record.content_hash = staged_open_record.content_hash
        )
    )
    and not exists (
        select
        from staged_record as other
        where
            other.kind = staged_open_record.kind
            and other.content_hash = staged_open_record.content_hash
            and not other.is_open
    );

insert into open_record (file_id, kind, delivery_id, content_hash)
select
    file_id,
    kind,
    delivery_id,
    content_hash
from new_open_record
on conflict do nothing;

drop view staged_record;

drop table staged_open_record, known_record, new_open_record
