-- Returns one row for each distributed table with rows of its own: its shards, rows and bytes, and its skew: how much
-- larger the largest shard is than the average, in per cent.
--
-- The numbers of rows are those of the last analyze. Numbers of a node that does not answer are left out.
with

shard as (

    select
        pg_class.relname as name,
        case when shard_command.success then split_part(shard_command.result, ' ', 1)::bigint end as row_count,
        case when shard_command.success then split_part(shard_command.result, ' ', 2)::bigint end as bytes
    from pg_dist_partition
    inner join pg_class on pg_dist_partition.logicalrelid = pg_class.oid
    cross join lateral run_command_on_shards(
        pg_dist_partition.logicalrelid,
        $$select greatest(reltuples, 0)::bigint || ' ' || pg_total_relation_size(oid)
        from pg_class where oid = '%s'::regclass$$
    ) as shard_command
    where
        -- Distributed, and not a reference table.
        pg_dist_partition.partmethod = 'h'
        and pg_class.relkind = 'r'
        and pg_class.relnamespace = 'tieout'::regnamespace

)

select
    name as table,
    count(*) as shards,
    sum(row_count) as rows,
    sum(bytes) as bytes,
    round(100 * max(bytes) / nullif(avg(bytes), 0) - 100) as skew_percent
from shard
group by name
order by sum(bytes) desc, name
