-- On a ledger that holds nothing yet, and only where much has come: the large tables lose their keys until
-- load_key.sql makes them anew.
--
-- A key that is built once costs a quarter of one that grows row by row. And a table that is emptied in the
-- same transaction needs no journal where wal_level is minimal, and no room for the dead rows of nights that
-- were killed. Nobody can read the tables until the night is committed; there is nothing in them to read.
-- Whoever reads them at this moment, a backup for instance, is not waited for: then all goes the usual way.
do $$
begin
    if
        pg_relation_size('staging_evidence') + pg_relation_size('staging_delivery') < 1048576
        or exists (select from evidence)
        or exists (select from store_transaction)
        or exists (select from delivery_record)
    then
        return;
    end if;
    lock table evidence, store_transaction, delivery_record in access exclusive mode nowait;
    truncate evidence, store_transaction, delivery_record;
    alter table evidence drop constraint evidence_pkey;
    alter table store_transaction drop constraint store_transaction_pkey;
    alter table delivery_record drop constraint delivery_record_pkey;
    drop index
        store_transaction_original, store_transaction_line_item, store_transaction_product,
        delivery_record_transaction, delivery_record_original, delivery_record_line_item,
        delivery_record_product;
exception
    -- A role that does not own the tables may still fill them.
    when lock_not_available or insufficient_privilege then return;
end
$$
