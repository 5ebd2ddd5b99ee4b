-- Returns one row for each of the three oldest sessions that hold locks on the program's tables, or advisory locks.
--
-- Leaves out sessions that wait for another one of them, because they end after it.
with

holding as (

    select distinct pg_locks.pid
    from pg_locks
    left join pg_class on pg_locks.relation = pg_class.oid
    where
        pg_locks.granted
        and pg_locks.database = (select oid from pg_database where datname = current_database())
        and (
            pg_class.relnamespace = to_regnamespace('tieout')
            or pg_locks.locktype = 'advisory'
        )

)

select
    pg_stat_activity.pid as process,
    coalesce(nullif(pg_stat_activity.application_name, ''), 'a program without a name') as program,
    pg_stat_activity.usename as role,
    to_char(pg_stat_activity.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
from pg_stat_activity
inner join holding on pg_stat_activity.pid = holding.pid
where
    pg_stat_activity.pid <> pg_backend_pid()
    and not exists (
        select
        from holding as other
        where other.pid = any(pg_blocking_pids(holding.pid))
    )
order by pg_stat_activity.xact_start, pg_stat_activity.pid
limit 3
