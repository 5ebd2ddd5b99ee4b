-- Distributes the tables of the ledger that grow with the years over the workers of a Citus cluster. `tieout cluster
-- distribute` runs it on the coordinator.
--
-- Everything about a transaction is on one worker: its evidence, its merge and its delivery records are distributed by
-- its number. Numbers of identifiers and products are on every node, because the views of the large tables look them
-- up. All other tables stay on the coordinator. Chains are not on one worker: the records of a night's affected part
-- come to the coordinator, which judges them.
--
-- Takes  tieout.shards: the number of shards of each table

select create_reference_table('odd_identifier');

select create_reference_table('recorded_product');

-- A key must contain the column that distributes the table. A record's hash contains its transaction, so the key means
-- the same.
alter table stored_delivery drop constraint stored_delivery_pkey;

alter table stored_delivery add constraint stored_delivery_pkey primary key (
    delivery_id, content_hash, transaction_number
);

select create_distributed_table(
    'stored_evidence', 'transaction_number', shard_count => current_setting('tieout.shards')::integer
);

select create_distributed_table('merged_transaction', 'transaction_number', colocate_with => 'stored_evidence');

select create_distributed_table('stored_delivery', 'transaction_number', colocate_with => 'stored_evidence');

-- The rows that were on the coordinator are on the workers now.
select truncate_local_data_after_distributing_table(name::regclass)
from unnest(array['stored_evidence', 'merged_transaction', 'stored_delivery']) as name;

-- The same functions as in schema_identifier.sql in the form that a cluster can run: it cannot run one whose body is
-- `return`, if it reads a reference table.
create or replace function odd_identifier_number(identifier text) returns bigint
language sql stable strict parallel safe
begin atomic
    select odd.identifier_number
    from tieout.odd_identifier as odd
    where odd.identifier = odd_identifier_number.identifier;
end;

create or replace function odd_identifier_text(identifier_number bigint) returns text
language sql stable strict parallel safe
begin atomic
    select odd.identifier
    from tieout.odd_identifier as odd
    where odd.identifier_number = odd_identifier_text.identifier_number;
end;

-- A function that reads a table cannot be called on a worker. So the views look up the few identifiers that are not
-- their own number by themselves.
do $$
declare
    name text;
begin
    foreach name in array array['evidence', 'store_transaction', 'delivery_record'] loop
        execute format(
            'create or replace view tieout.%I as %s',
            name,
            regexp_replace(
                pg_get_viewdef(('tieout.' || name)::regclass),
                'identifier_text\((COALESCE\([^()]*\)|[a-z_.]+)\)',
                '(case when (\1) >= 0 then (\1)::text else ('
                'select odd.identifier from tieout.odd_identifier as odd where odd.identifier_number = (\1)'
                ') end) collate "default"',
                'g'
            )
        );
    end loop;
end
$$
