-- Updates open_record: the records that only open lines contain. An open line is a last line without a line end.
--
-- A record that a whole line also contains is kept permanently. So is a record that was kept permanently before.
--
-- Takes  open_line: the file and the line number of each open line in tonight's files.

delete from open_record
using staging_delivery as told
where
    open_record.kind = 'delivery_record'
    and told.content_hash = open_record.content_hash
    and not exists (
        select
        from open_line
        where open_line.file_id = told.file_id and open_line.line = told.line
    );

delete from open_record
using staging_client_transaction as told
where
    open_record.kind = 'client_transaction'
    and told.content_hash = open_record.content_hash
    and not exists (
        select
        from open_line
        where open_line.file_id = told.file_id and open_line.line = told.line
    );

delete from open_record
using staging_client_invalid_product as told
where
    open_record.kind = 'client_invalid_product'
    and told.content_hash = open_record.content_hash
    and not exists (
        select
        from open_line
        where open_line.file_id = told.file_id and open_line.line = told.line
    );

delete from open_record
using staging_acknowledgement as told
where
    open_record.kind = 'acknowledgement'
    and told.content_hash = open_record.content_hash
    and not exists (
        select
        from open_line
        where open_line.file_id = told.file_id and open_line.line = told.line
    );

-- Must run before the records are inserted (load_document.sql).
create temporary table known_record on commit drop as
select
    stored_delivery.delivery_id,
    stored_delivery.content_hash
from staging_delivery as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
inner join stored_delivery
    on told.delivery_id = stored_delivery.delivery_id and told.content_hash = stored_delivery.content_hash;

create temporary table new_open_record on commit drop as
select
    told.file_id,
    'delivery_record' as kind,
    told.delivery_id,
    told.content_hash
from staging_delivery as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
where
    (
        not exists (
            select
            from known_record
            where
                known_record.content_hash = told.content_hash
                and known_record.delivery_id = told.delivery_id
        )
        or exists (
            select
            from open_record
            where
                open_record.kind = 'delivery_record'
                and open_record.content_hash = told.content_hash
        )
    )
    and not exists (
        select
        from staging_delivery as other
        left join open_line as other_line
            on other.file_id = other_line.file_id and other.line = other_line.line
        where other.content_hash = told.content_hash and other_line.file_id is null
    )
union
select
    told.file_id,
    'client_transaction',
    '',
    told.content_hash
from staging_client_transaction as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
where
    (
        not exists (
            select
            from client_transaction
            where client_transaction.content_hash = told.content_hash
        )
        or exists (
            select
            from open_record
            where
                open_record.kind = 'client_transaction'
                and open_record.content_hash = told.content_hash
        )
    )
    and not exists (
        select
        from staging_client_transaction as other
        left join open_line as other_line
            on other.file_id = other_line.file_id and other.line = other_line.line
        where other.content_hash = told.content_hash and other_line.file_id is null
    )
union
select
    told.file_id,
    'client_invalid_product',
    '',
    told.content_hash
from staging_client_invalid_product as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
where
    (
        not exists (
            select
            from client_invalid_product
            where client_invalid_product.content_hash = told.content_hash
        )
        or exists (
            select
            from open_record
            where
                open_record.kind = 'client_invalid_product'
                and open_record.content_hash = told.content_hash
        )
    )
    and not exists (
        select
        from staging_client_invalid_product as other
        left join open_line as other_line
            on other.file_id = other_line.file_id and other.line = other_line.line
        where other.content_hash = told.content_hash and other_line.file_id is null
    )
union
select
    told.file_id,
    'acknowledgement',
    '',
    told.content_hash
from staging_acknowledgement as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
where
    (
        not exists (
            select
            from acknowledgement
            where acknowledgement.content_hash = told.content_hash
        )
        or exists (
            select
            from open_record
            where
                open_record.kind = 'acknowledgement'
                and open_record.content_hash = told.content_hash
        )
    )
    and not exists (
        select
        from staging_acknowledgement as other
        left join open_line as other_line
            on other.file_id = other_line.file_id and other.line = other_line.line
        where other.content_hash = told.content_hash and other_line.file_id is null
    );

insert into open_record (file_id, kind, delivery_id, content_hash)
select
    file_id,
    kind,
    delivery_id,
    content_hash
from new_open_record
on conflict do nothing
