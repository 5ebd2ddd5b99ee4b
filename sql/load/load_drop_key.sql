-- Drops the keys and indexes of the three large tables until load_key.sql creates them again, if the ledger is empty
-- and tonight's files contain much: 1 MiB or more of staged evidence and deliveries.
--
-- Leaves behind  taken_key: one row for each key or index, with the commands that drop and create it; no table if none
--                was dropped.
--
-- A key that is built once costs a quarter of one that grows row by row. A table that is emptied in the same
-- transaction needs no write-ahead log if wal_level is minimal, and no space for the dead rows of nights that were
-- killed. Nobody can read the tables until the night is committed, and they contain nothing to read.
--
-- If another session reads the tables at this moment, for instance a backup, this SQL statement does not wait for it.
-- Then the tables keep their keys. They also keep them if a publication contains tables of the program: without a key,
-- rows of a published table cannot be updated or deleted.
do $$
declare
    key record;
begin
    -- A role that does not own the tables cannot drop their keys, but it can still fill the tables.
    if
        pg_relation_size('staging_evidence') + pg_relation_size('staging_delivery') < 1048576
        or not (
            select pg_has_role(relowner, 'usage')
            from pg_class
            where oid = 'stored_evidence'::regclass
        )
        or exists (select from pg_publication_tables where schemaname = 'tieout')
    then
        return;
    end if;
    -- A cluster needs a column, and without a limit its coordinator would get all rows.
    if
        exists (select 1 from stored_evidence limit 1)
        or exists (select 1 from merged_transaction limit 1)
        or exists (select 1 from stored_delivery limit 1)
    then
        return;
    end if;
    lock table stored_evidence, merged_transaction, stored_delivery in access exclusive mode nowait;
    truncate stored_evidence, merged_transaction, stored_delivery;
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
            'lone_evidence'::regclass, 'differing_evidence'::regclass, 'merged_transaction'::regclass,
            'stored_delivery'::regclass
        );
    for key in select taking from taken_key loop
        execute key.taking;
    end loop;
exception
    when lock_not_available or insufficient_privilege then return;
end
$$
