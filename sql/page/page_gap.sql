-- Returns the number of missing deliveries by the hour of the day of the purchase and the server of the last attempt.
--
-- Without an attempt there is no server, and kind says so. It also says so if the log names no server, and if it is
-- uncertain whether the delivery was made. The eight servers with the most missing deliveries have their own rows, and
-- the others are added together.
with

gap as (

    select
        extract(hour from missing.purchased_at at time zone night.time_zone)::integer as hour,
        missing.server,
        case
            when missing.reason = 'no_records' then 'unknown'
            when missing.last_attempt_at is null then 'none'
            when missing.server is null then 'unnamed'
            else 'server'
        end as kind
    from carried_missing_delivery as missing
    cross join night

),

ranked as (

    select
        server,
        row_number() over (order by count(*) desc, server) as place
    from gap
    where kind = 'server'
    group by server

),

shown as (

    select
        case when ranked.place > 8 then 'other' else gap.kind end as kind,
        case when ranked.place <= 8 then gap.server end as server,
        gap.hour,
        ranked.place
    from gap
    left join ranked on gap.server = ranked.server

)

select
    kind,
    server,
    hour,
    count(*) as missing
from shown
group by kind, server, hour
order by
    array_position(array['server', 'other', 'unnamed', 'none', 'unknown'], kind),
    min(place),
    hour
