-- Creates the keys and indexes again that load_drop_key.sql dropped, and analyzes the tables that grew much. The
-- program has set the size of the sample.
--
-- Building a key once also checks its constraint.
--
-- Takes  taken_key (load_drop_key.sql), if keys were dropped; tieout.is_distributed
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

    -- On a first night the planner has no useful statistics of these tables. After a killed run they are worse: the
    -- server counted none of its rows. A night with few rows does not change the statistics enough to matter, so it
    -- does not analyze.
    --
    -- Of a distributed table the coordinator knows no size, and each SQL statement that analyzes one must be sent
    -- alone. The program does that (cluster_grown.sql).
    if current_setting('tieout.is_distributed', true) = 'true' then
        return;
    end if;
    if
        grown_part() * pg_relation_size('staging_evidence')
        > pg_relation_size('lone_evidence') + pg_relation_size('differing_evidence')
        or (select reltuples < 0 from pg_class where oid = 'lone_evidence'::regclass)
    then
        analyze stored_evidence;
        analyze merged_transaction;
    -- The first rows of a table that was analyzed while it was empty: without statistics of its keys, the planner
    -- reads the whole ledger instead of looking up tonight's transactions.
    elsif
        pg_relation_size('merged_transaction') > 0
        and not exists (
            select from pg_stats where schemaname = 'tieout' and tablename = 'merged_transaction'
        )
    then
        analyze merged_transaction;
    end if;
    if needs_analyze('staging_delivery', 'stored_delivery') then
        analyze stored_delivery;
    end if;
end
$$
