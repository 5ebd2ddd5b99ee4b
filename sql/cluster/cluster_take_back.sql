-- Replaces the function that removes the records of open lines (schema_open_record.sql) on a cluster, whose
-- workers hold the delivery records.
create or replace function tieout.take_back(kind text, delivery_id text, content_hash bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
    if take_back.kind = 'delivery_record' then
        -- A cluster takes the parameters of a query in a function only with `execute`.
        execute '
            delete from tieout.stored_delivery
            where
                delivery_id = $1
                and content_hash = $2
                and (file_id, line) in (
                    select input_file.file_id, input_file.open_line
                    from tieout.input_file
                    where input_file.open_line is not null
                )'
        using take_back.delivery_id, take_back.content_hash;
    end if;
    delete from tieout.client_transaction
    using tieout.input_file
    where
        take_back.kind = 'client_transaction'
        and client_transaction.content_hash = take_back.content_hash
        and client_transaction.file_id = input_file.file_id
        and client_transaction.line = input_file.open_line;
    delete from tieout.client_invalid_product
    using tieout.input_file
    where
        take_back.kind = 'client_invalid_product'
        and client_invalid_product.content_hash = take_back.content_hash
        and client_invalid_product.file_id = input_file.file_id
        and client_invalid_product.line = input_file.open_line;
end
$$
