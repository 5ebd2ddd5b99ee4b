-- The keys that load_empty.sql took off, built in one go (building them proves what they promise), and what
-- the planner knows of tables that grew much.
do $$
begin
    if not exists (select from pg_constraint where conrelid = 'evidence'::regclass and contype = 'p') then
        alter table evidence add primary key (environment, transaction_id, statement_hash);
        alter table store_transaction add primary key (environment, transaction_id);
        alter table delivery_record add primary key (delivery_id, statement_hash);
        create index store_transaction_original on store_transaction (original_transaction_id);
        create index store_transaction_line_item on store_transaction (web_order_line_item_id)
        where web_order_line_item_id is not null;
        create index store_transaction_product on store_transaction (product_id);
        create index delivery_record_transaction on delivery_record (transaction_id);
        create index delivery_record_original on delivery_record (original_transaction_id)
        where original_transaction_id is not null;
        create index delivery_record_line_item on delivery_record (web_order_line_item_id)
        where web_order_line_item_id is not null;
        create index delivery_record_product on delivery_record (product_id);
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
