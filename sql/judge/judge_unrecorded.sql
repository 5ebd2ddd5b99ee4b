-- Returns one row for each undelivered obligation in whose time the log has no delivery of anything: from the purchase
-- to the due date.
with

-- The hours in which such a time begins or ends. Each is read once, with each second once: an hour can have thousands
-- of attempts, and thousands of undelivered obligations.
edge as materialized (

    select
        logged.hour,
        array(select distinct second from unnest(logged.seconds) as attempt (second) order by second) as seconds
    from (
        select utc_hour(purchased_at) as hour
        from obligation
        where class = 'undelivered'
        union
        select utc_hour(due_at)
        from obligation
        where class = 'undelivered'
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
    obligation.environment,
    obligation.obligation_key
from obligation
left join edge as bought on utc_hour(obligation.purchased_at) = bought.hour
left join edge as due on utc_hour(obligation.due_at) = due.hour
where
    obligation.class = 'undelivered'
    and is_logged(bought.hour, bought.seconds, obligation.purchased_at, obligation.due_at) is not true
    and is_logged(due.hour, due.seconds, obligation.purchased_at, obligation.due_at) is not true
    -- An hour between them has an attempt if it is there.
    and not exists (
        select
        from log_hour
        where log_hour.hour between obligation.purchased_at and obligation.due_at - interval '1 hour'
    )
