-- Returns one row for each kind of table that is not distributed: how many there are, and their bytes on the
-- coordinator. Reference tables have a copy on every node. Rows of unlogged tables are lost if their server crashes.
select
    case
        when pg_dist_partition.logicalrelid is not null then 'copied to every node'
        when pg_class.relpersistence = 'u' then 'unlogged, on the coordinator'
        else 'on the coordinator'
    end as place,
    count(*) as tables,
    sum(case when pg_dist_partition.logicalrelid is null then pg_total_relation_size(pg_class.oid) end) as bytes
from pg_class
left join pg_dist_partition on pg_class.oid = pg_dist_partition.logicalrelid
where
    pg_class.relnamespace = 'tieout'::regnamespace
    and pg_class.relkind = 'r'
    and coalesce(pg_dist_partition.partmethod, 'n') = 'n'
group by place
order by place
