-- Returns one row for each node that has a part of a distributed table: its shards, and about how many rows and how
-- many bytes they have.
--
-- The numbers of rows are those of the last analyze. Numbers of a node that does not answer are left out.
with

shard as (

    select
        shard_command.shardid as shard_number,
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
    pg_dist_node.nodename || ':' || pg_dist_node.nodeport as node,
    count(*) as shards,
    sum(shard.row_count) as rows,
    sum(shard.bytes) as bytes
from shard
inner join pg_dist_placement on shard.shard_number = pg_dist_placement.shardid
inner join pg_dist_node on pg_dist_placement.groupid = pg_dist_node.groupid and pg_dist_node.noderole = 'primary'
group by pg_dist_node.nodename, pg_dist_node.nodeport
order by pg_dist_node.nodename, pg_dist_node.nodeport
