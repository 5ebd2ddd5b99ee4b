-- Returns one row for each worker that does not answer, or on which a part of a transaction is prepared and not
-- committed.
select nodename || ':' || nodeport as worker
from run_command_on_workers(
    $$select count(*) from pg_prepared_xacts where gid like 'citus\_%' and database = current_database()$$
)
where not success or result <> '0'
order by worker
