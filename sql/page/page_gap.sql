-- What is missing by the hour of the day in which it was bought and the server of its last attempt. Without
-- an attempt there is no server: kind says so, as it does where the log names none. The eight
-- servers with the most are told apart, the others together.
with

missing as (

    select
        missing.environment,
        missing.obligation_key,
        missing.transaction_id,
        missing.original_transaction_id,
        missing.last_attempt_at,
        extract(hour from missing.purchased_at at time zone night.time_zone)::integer as hour
    from carried_missing_delivery as missing
    cross join night

),

attempted as (

    -- By key, as what is missing is little and the log is long; and most of it was never attempted.
    select
        missing.environment,
        missing.obligation_key,
        delivery_record.server
    from missing
    inner join delivery_record
        on missing.transaction_id = delivery_record.transaction_id
        and missing.last_attempt_at = delivery_record.occurred_at
    where missing.last_attempt_at is not null
    union all
    select
        missing.environment,
        missing.obligation_key,
        delivery_record.server
    from missing
    inner join delivery_record
        on missing.original_transaction_id = delivery_record.original_transaction_id
        and missing.last_attempt_at = delivery_record.occurred_at
    where missing.last_attempt_at is not null

),

server as (

    select
        environment,
        obligation_key,
        min(server) as server
    from attempted
    group by environment, obligation_key

),

gap as (

    select
        missing.hour,
        server.server,
        case
            when missing.last_attempt_at is null then 'none'
            when server.server is null then 'unnamed'
            else 'server'
        end as kind
    from missing
    left join server using (environment, obligation_key)

),

ranked as (

    select
        server,
        row_number() over (order by count(*) desc, server) as place
    from gap
    where kind = 'server'
    group by server

)

select
    case when ranked.place > 8 then 'other' else gap.kind end as kind,
    case when ranked.place <= 8 then gap.server end as server,
    gap.hour,
    count(*) as missing
from gap
left join ranked on gap.server = ranked.server
group by
    case when ranked.place > 8 then 'other' else gap.kind end,
    case when ranked.place <= 8 then gap.server end,
    gap.hour
order by
    array_position(
        array['server', 'other', 'unnamed', 'none'],
        case when ranked.place > 8 then 'other' else gap.kind end
    ),
    min(ranked.place),
    gap.hour
