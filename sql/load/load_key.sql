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
    -- that it would go by, and leaves them alone. Only what they are joined and sought by is sampled: sets
    -- of accounts take longer than all of these.
    if pg_relation_size('staging_evidence') * 10 > pg_relation_size('store_transaction') then
        analyze evidence (environment, transaction_id, statement_hash);
        analyze store_transaction (
            environment, transaction_id, original_transaction_id, product_id, web_order_line_item_id,
            is_refund_questioned, is_suspicious
        );
    end if;
    if pg_relation_size('staging_delivery') * 10 > pg_relation_size('delivery_record') then
        analyze delivery_record (
            delivery_id, environment, transaction_id, product_id, status, occurred_at,
            original_transaction_id, web_order_line_item_id
        );
    end if;
end
$$
