-- Returns one row for the session that holds the lock of a run or a refresh.
--
-- Takes  $1: the number of the lock.
select
    pg_stat_activity.application_name,
    to_char(pg_stat_activity.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
from pg_locks
inner join pg_stat_activity on pg_locks.pid = pg_stat_activity.pid
where
    pg_locks.locktype = 'advisory'
    and pg_locks.granted
    -- A lock of one number, not of two.
    and pg_locks.objsubid = 1
    and (pg_locks.classid::bigint << 32 | pg_locks.objid::bigint) = $1::bigint
    and pg_locks.database = (select oid from pg_database where datname = current_database())
