-- The keys that load_empty.sql took off, built in one go. Building them proves what they promise.
do $$
begin
    if not exists (select from pg_constraint where conrelid = 'evidence'::regclass and contype = 'p') then
        alter table evidence add primary key (environment, transaction_id, statement_hash);
        alter table store_transaction add primary key (environment, transaction_id);
        alter table delivery_record add primary key (delivery_id, statement_hash);
    end if;
end
$$;

-- What the tables were before tells the planner nothing of a first night, and less than nothing where a
-- run was killed and the server counted none of its rows.
analyze evidence;

analyze store_transaction;

analyze delivery_record
