-- Creates the table of records in last lines without a line end. Such a record is removed when its file has grown.

-- One row for each record that only open lines contain, and each file with such a line.
create table open_record (
    file_id integer not null references input_file,
    -- The kind of the record.
    kind text collate "C" not null,
    -- The id of a delivery; otherwise empty.
    delivery_id text collate "C" not null,
    content_hash bigint not null,

    primary key (content_hash, kind, file_id),
    constraint kind_is_known check (
        kind in (
            'delivery_record', 'client_transaction', 'client_invalid_product', 'acknowledgement'
        )
    )
);

create index open_record_by_file_id on open_record (file_id);

-- Removes a record from the ledger if it came first from an open line. A role that may run a night may call this
-- and can remove nothing else: the open line of a file is written with the file and never changed.
create function take_back(kind text, delivery_id text, content_hash bigint) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
begin atomic
    delete from stored_delivery
    using input_file
    where
        take_back.kind = 'delivery_record'
        and stored_delivery.delivery_id = take_back.delivery_id
        and stored_delivery.content_hash = take_back.content_hash
        and stored_delivery.file_id = input_file.file_id
        and stored_delivery.line = input_file.open_line;
    delete from client_transaction
    using input_file
    where
        take_back.kind = 'client_transaction'
        and client_transaction.content_hash = take_back.content_hash
        and client_transaction.file_id = input_file.file_id
        and client_transaction.line = input_file.open_line;
    delete from client_invalid_product
    using input_file
    where
        take_back.kind = 'client_invalid_product'
        and client_invalid_product.content_hash = take_back.content_hash
        and client_invalid_product.file_id = input_file.file_id
        and client_invalid_product.line = input_file.open_line;
end;

revoke all on function take_back(text, text, bigint) from public
