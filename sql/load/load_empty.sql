-- On a ledger that holds nothing yet, and only where much has come: the large tables lose their keys until
-- load_key.sql makes them anew.
--
-- Leaves behind  taken_key: how each was made; no table where none was taken.
--
-- A key that is built once costs a quarter of one that grows row by row. And a table that is emptied in the
-- same transaction needs no journal where wal_level is minimal, and no room for the dead rows of nights that
-- were killed. Nobody can read the tables until the night is committed; there is nothing in them to read.
-- Whoever reads them at this moment, a backup for instance, is not waited for: then all goes the usual way.
do $$
declare
    key record;
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
    create temporary table taken_key on commit drop as
    select
        pg_constraint.oid is not null as is_constraint,
        pg_index.indexrelid::regclass::text as name,
        case
            when pg_constraint.oid is null then format('drop index %s', pg_index.indexrelid::regclass)
            else format(
                'alter table %s drop constraint %I', pg_index.indrelid::regclass, pg_constraint.conname
            )
        end as taking,
        case
            when pg_constraint.oid is null then pg_get_indexdef(pg_index.indexrelid)
            else format(
                'alter table %s add constraint %I %s',
                pg_index.indrelid::regclass,
                pg_constraint.conname,
                pg_get_constraintdef(pg_constraint.oid)
            )
        end as making
    from pg_index
    left join pg_constraint
        on pg_index.indexrelid = pg_constraint.conindid
        and pg_index.indrelid = pg_constraint.conrelid
    where
        pg_index.indrelid in (
            'evidence'::regclass, 'store_transaction'::regclass, 'delivery_record'::regclass
        );
    for key in select taking from taken_key loop
        execute key.taking;
    end loop;
exception
    -- A role that does not own the tables may still fill them.
    when lock_not_available or insufficient_privilege then return;
end
$$
