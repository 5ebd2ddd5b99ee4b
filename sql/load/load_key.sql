-- The keys that load_empty.sql took off, built in one go (building them proves what they promise), and what
-- the planner knows of tables that grew much.
do $$
declare
    key record;
begin
    if to_regclass('pg_temp.taken_key') is not null then
        for key in select making from taken_key order by is_constraint desc, name loop
            execute key.making;
        end loop;
        drop table taken_key;
    end if;

    -- What the tables were before tells the planner nothing of a first night, and less than nothing where a
    -- run was killed and the server counted none of its rows. A night that brings little changes nothing
    -- that it would go by, and leaves them alone.
    if
        10 * pg_relation_size('staging_evidence') > pg_relation_size('evidence')
        or (select reltuples < 0 from pg_class where oid = 'store_transaction'::regclass)
    then
        analyze evidence;
        analyze store_transaction;
    end if;
    if
        10 * pg_relation_size('staging_delivery') > pg_relation_size('delivery_record')
        or (select reltuples < 0 from pg_class where oid = 'delivery_record'::regclass)
    then
        analyze delivery_record;
    end if;
end
$$
