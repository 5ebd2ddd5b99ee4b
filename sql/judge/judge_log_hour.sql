-- Returns one row for each hour (UTC) in which the delivery log has attempts in the configured environments: the
-- seconds of the hour in which they are, in order. A second is there once for each attempt.
--
-- It distinguishes a silent log from a delivery that no server attempted.
select
    hour,
    array_agg(second order by second) as seconds
from (
    select
        hour,
        extract(epoch from occurred_at - hour)::smallint as second
    from (
        select
            occurred_at,
            utc_hour(occurred_at) as hour
        from attempt
        where is_configured
        union all
        select
            delivered_at,
            utc_hour(delivered_at)
        from matched
        where is_configured and delivered_at is not null
    ) as logged
) as placed
group by hour
