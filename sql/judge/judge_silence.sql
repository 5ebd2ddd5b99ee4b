-- Returns one row for each stretch of silent hours of a server: silent hours that follow each other.
with

numbered as (

    select
        server,
        hour,
        hour - row_number() over (partition by server order by hour) * interval '1 hour' as stretch
    from silent_hour

)

select
    server,
    min(hour) as begins_at,
    max(hour) + interval '1 hour' as ends_at
from numbered
group by server, stretch
