-- Returns one row for each undelivered obligation in whose time the log has no delivery of anything: from the purchase
-- to the due date.
with

-- Those without an attempt in any whole hour between purchase and due date. Nearly every obligation has one, and one
-- lookup by key shows it, so the seconds of few hours are read below.
waited as materialized (

    select
        obligation.environment,
        obligation.obligation_key,
        obligation.purchased_at,
        obligation.due_at
    from obligation
    where
        obligation.class = 'undelivered'
        and not exists (
            select
            from log_hour
            where log_hour.hour between obligation.purchased_at and obligation.due_at - interval '1 hour'
        )

),

-- The hours in which such a time begins or ends. Each is read once, with each second once: an hour can have thousands
-- of attempts, and thousands of undelivered obligations.
edge as materialized (

    select
        logged.hour,
        array(select distinct second from unnest(logged.seconds) as attempt (second) order by second) as seconds
    from (
        select utc_hour(purchased_at) as hour from waited
        union
        select utc_hour(due_at) from waited
    ) as asked
    cross join lateral (
        select
            log_hour.hour,
            log_hour.seconds
        from log_hour
        where log_hour.hour = asked.hour
        -- The planner would read all hours, and few are needed.
        offset 0
    ) as logged

)

select
    waited.environment,
    waited.obligation_key
from waited
left join edge as bought on utc_hour(waited.purchased_at) = bought.hour
left join edge as due on utc_hour(waited.due_at) = due.hour
where
    is_logged(bought.hour, bought.seconds, waited.purchased_at, waited.due_at) is not true
    and is_logged(due.hour, due.seconds, waited.purchased_at, waited.due_at) is not true
