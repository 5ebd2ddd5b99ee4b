-- Updates open_statement: the records that only open lines contain. An open line is a last line without a line end.
--
-- A record that a whole line also contains is kept permanently. So is a record that was kept permanently before.
--
-- Takes  open_line: the file and the line number of each open line in tonight's files.

delete from open_statement
using staging_delivery as told
where
    open_statement.kind = 'delivery_record'
    and told.statement_hash = open_statement.statement_hash
    and not exists (
        select
        from open_line
        where open_line.file_id = told.file_id and open_line.line = told.line
    );

delete from open_statement
using staging_client_transaction as told
where
    open_statement.kind = 'client_transaction'
    and told.statement_hash = open_statement.statement_hash
    and not exists (
        select
        from open_line
        where open_line.file_id = told.file_id and open_line.line = told.line
    );

delete from open_statement
using staging_client_invalid_product as told
where
    open_statement.kind = 'client_invalid_product'
    and told.statement_hash = open_statement.statement_hash
    and not exists (
        select
        from open_line
        where open_line.file_id = told.file_id and open_line.line = told.line
    );

delete from open_statement
using staging_acknowledgement as told
where
    open_statement.kind = 'acknowledgement'
    and told.statement_hash = open_statement.statement_hash
    and not exists (
        select
        from open_line
        where open_line.file_id = told.file_id and open_line.line = told.line
    );

-- Must run before the records are inserted (load_document.sql).
create temporary table known_record on commit drop as
select
    stored_delivery.delivery_id,
    stored_delivery.statement_hash
from staging_delivery as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
inner join stored_delivery
    on told.delivery_id = stored_delivery.delivery_id and told.statement_hash = stored_delivery.statement_hash;

create temporary table new_open_statement on commit drop as
select
    told.file_id,
    'delivery_record' as kind,
    told.delivery_id,
    told.statement_hash
from staging_delivery as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
where
    (
        not exists (
            select
            from known_record
            where
                known_record.statement_hash = told.statement_hash
                and known_record.delivery_id = told.delivery_id
        )
        or exists (
            select
            from open_statement
            where
                open_statement.kind = 'delivery_record'
                and open_statement.statement_hash = told.statement_hash
        )
    )
    and not exists (
        select
        from staging_delivery as other
        left join open_line as other_line
            on other.file_id = other_line.file_id and other.line = other_line.line
        where other.statement_hash = told.statement_hash and other_line.file_id is null
    )
union
select
    told.file_id,
    'client_transaction',
    '',
    told.statement_hash
from staging_client_transaction as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
where
    (
        not exists (
            select
            from client_transaction
            where client_transaction.statement_hash = told.statement_hash
        )
        or exists (
            select
            from open_statement
            where
                open_statement.kind = 'client_transaction'
                and open_statement.statement_hash = told.statement_hash
        )
    )
    and not exists (
        select
        from staging_client_transaction as other
        left join open_line as other_line
            on other.file_id = other_line.file_id and other.line = other_line.line
        where other.statement_hash = told.statement_hash and other_line.file_id is null
    )
union
select
    told.file_id,
    'client_invalid_product',
    '',
    told.statement_hash
from staging_client_invalid_product as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
where
    (
        not exists (
            select
            from client_invalid_product
            where client_invalid_product.statement_hash = told.statement_hash
        )
        or exists (
            select
            from open_statement
            where
                open_statement.kind = 'client_invalid_product'
                and open_statement.statement_hash = told.statement_hash
        )
    )
    and not exists (
        select
        from staging_client_invalid_product as other
        left join open_line as other_line
            on other.file_id = other_line.file_id and other.line = other_line.line
        where other.statement_hash = told.statement_hash and other_line.file_id is null
    )
union
select
    told.file_id,
    'acknowledgement',
    '',
    told.statement_hash
from staging_acknowledgement as told
inner join open_line on told.file_id = open_line.file_id and told.line = open_line.line
where
    (
        not exists (
            select
            from acknowledgement
            where acknowledgement.statement_hash = told.statement_hash
        )
        or exists (
            select
            from open_statement
            where
                open_statement.kind = 'acknowledgement'
                and open_statement.statement_hash = told.statement_hash
        )
    )
    and not exists (
        select
        from staging_acknowledgement as other
        left join open_line as other_line
            on other.file_id = other_line.file_id and other.line = other_line.line
        where other.statement_hash = told.statement_hash and other_line.file_id is null
    );

insert into open_statement (file_id, kind, delivery_id, statement_hash)
select
    file_id,
    kind,
    delivery_id,
    statement_hash
from new_open_statement
on conflict do nothing
