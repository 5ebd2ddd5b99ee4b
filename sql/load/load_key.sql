-- The keys that load_empty.sql took off, built in one go (building them proves what they promise), and the
-- statistics of what has changed by a tenth or more.
do $$
begin
    if not exists (select from pg_constraint where conrelid = 'evidence'::regclass and contype = 'p') then
        alter table evidence add primary key (environment, transaction_id, statement_hash);
        alter table store_transaction add primary key (environment, transaction_id);
        alter table delivery_record add primary key (delivery_id, statement_hash);
    end if;
    -- What the tables were before tells the planner nothing of a first night, and less than nothing where a
    -- run was killed and the server counted none of its rows. A small night changes no plan.
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
