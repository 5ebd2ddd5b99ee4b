-- Returns one row for each node of the cluster that does not answer, or on which a part of a commit is prepared and
-- not completed.
--
-- The coordinator prepares a part, too: its copies of the tables that every node has.
with

node as (

    select
        nodename || ':' || nodeport as node,
        success as is_answering,
        success and result <> '0' as is_held_back
    from run_command_on_workers(
        $$select count(*) from pg_prepared_xacts where gid like 'citus\_%' and database = current_database()$$
    )
    union all
    select
        coalesce(
            (select nodename || ':' || nodeport from pg_dist_node where groupid = 0 limit 1), 'the coordinator'
        ) as node,
        true as is_answering,
        exists (
            select
            from pg_prepared_xacts
            where gid like 'citus\_%' and database = current_database()
        ) as is_held_back

)

select
    node,
    is_answering
from node
where is_held_back or not is_answering
order by node
