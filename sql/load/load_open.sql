-- Updates open_record: the records that only open lines contain. An open line is a last line without a line end.
--
-- A record that a whole line also contains is kept permanently. So is a record that was kept permanently before.
--
-- Takes  open_line: the file and the line number of each open line in tonight's files.

create temporary view staged_record as
select
    told.kind,
    told.delivery_id,
    told.content_hash,
    told.file_id,
    open_line.file_id is not null as is_open
from (
    select
        'delivery_record' as kind,
        delivery_id,
        content_hash,
        file_id,
        line
    from staging_delivery
    union all
    -- Only a delivery has an id.
    select
        'client_transaction',
        '',
        content_hash,
        file_id,
        line
    from staging_client_transaction
    union all
    select
        'client_invalid_product',
        '',
        content_hash,
        file_id,
        line
    from staging_client_invalid_product
    union all
    select
        'acknowledgement',
        '',
        content_hash,
        file_id,
        line
    from staging_acknowledgement
) as told
left join open_line on told.file_id = open_line.file_id and told.line = open_line.line;

delete from open_record
using staged_record as told
where
    open_record.kind = told.kind
    and open_record.content_hash = told.content_hash
    and not told.is_open
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
    told.kind,
    stored_delivery.delivery_id,
    stored_delivery.content_hash
from staged_open_record as told
inner join stored_delivery
    on told.delivery_id = stored_delivery.delivery_id and told.content_hash = stored_delivery.content_hash
where told.kind = 'delivery_record';

insert into known_record (kind, delivery_id, content_hash)
select
    told.kind,
    told.delivery_id,
    told.content_hash
from staged_open_record as told
inner join (
    select 'client_transaction' as kind, content_hash from client_transaction
    union all
    select 'client_invalid_product', content_hash from client_invalid_product
    union all
    select 'acknowledgement', content_hash from acknowledgement
) as kept on told.kind = kept.kind and told.content_hash = kept.content_hash;

create temporary table new_open_record on commit drop as
select distinct
    told.file_id,
    told.kind,
    told.delivery_id,
    told.content_hash
from staged_open_record as told
where
    (
        not exists (
            select
            from known_record
            where
                known_record.kind = told.kind
                and known_record.delivery_id = told.delivery_id
                and known_record.content_hash = told.content_hash
        )
        or exists (
            select
            from open_record
            where open_record.kind = told.kind and open_record.content_hash = told.content_hash
        )
    )
    and not exists (
        select
        from staged_record as other
        where
            other.kind = told.kind
            and other.content_hash = told.content_hash
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

drop table staged_open_record;

drop table known_record;

drop table new_open_record
