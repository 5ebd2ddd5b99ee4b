-- Returns the number of owed deliveries that were made, by the properties that missing deliveries are compared in:
-- product, type, hour of the purchase, the hour, server, region and app version of the delivery, and the kind of
-- error of the latest attempt that was not delivered.
--
-- It counts deliveries that fall due in the days before as-of (cause_days) or later. An unknown value is ''.
with

owed as (

    select
        obligation.environment,
        obligation.obligation_key,
        hashtextextended(obligation.obligation_key, 0) as obligation_hash,
        obligation.product_id,
        obligation.product_type,
        obligation.purchased_at,
        obligation.due_at
    from obligation
    where
        obligation.class = 'delivered'
        -- The limit is a value, not a join, so the planner filters before it joins the deliveries of the whole history.
        and obligation.due_at >= (select causes_since from night)

),

-- The first delivery counts. The order begins with numbers, because they are compared faster.
served as (

    select distinct on (owed.obligation_hash, owed.environment, owed.obligation_key)
        owed.product_id,
        owed.product_type,
        owed.purchased_at,
        owed.due_at,
        attempt.occurred_at,
        attempt.server,
        attempt.region,
        attempt.app_version,
        owed.environment,
        owed.obligation_key
    from owed
    inner join attempt
        on owed.environment = attempt.environment
        and owed.obligation_key = attempt.obligation_key
        and owed.product_id = attempt.product_id
    where attempt.status = 'delivered'
    order by
        owed.obligation_hash,
        owed.environment,
        owed.obligation_key,
        attempt.occurred_at,
        attempt.delivery_id

),

-- Few attempts have an error.
erroneous as (

    select distinct on (environment, obligation_key)
        environment,
        obligation_key,
        error
    from attempt
    where status <> 'delivered' and error is not null
    order by
        environment,
        obligation_key,
        latest_first(occurred_at, status, delivery_id)

),

told as (

    select
        served.product_id,
        served.product_type,
        served.purchased_at,
        served.due_at,
        served.occurred_at,
        served.server,
        served.region,
        served.app_version,
        error_kind(erroneous.error) as error
    from served
    left join erroneous using (environment, obligation_key)
    union all
    -- A matched purchase was served by one delivery, without an error.
    select
        matched.product_id,
        matched.product_type,
        matched.purchased_at,
        matched.due_at,
        matched.delivered_at,
        matched.server,
        matched.region,
        matched.app_version,
        null
    from matched
    where
        matched.is_configured
        and matched.is_completed
        and not matched.is_served_by_chain
        and is_our_delivery(matched.delivery)
        and matched.delivered_at is not null
        and matched.purchased_at >= (select begin_at from books)
        and matched.due_at >= (select causes_since from night)

)

select
    utc_hour(told.due_at) as due_hour,
    told.product_id,
    told.product_type,
    extract(hour from told.purchased_at at time zone 'UTC')::integer as purchase_hour,
    utc_hour(told.occurred_at) as attempt_hour,
    coalesce(told.server, '') as server,
    coalesce(told.region, '') as region,
    coalesce(told.app_version, '') as app_version,
    coalesce(told.error, '') as error,
    count(*) as deliveries
from told
group by
    utc_hour(told.due_at),
    told.product_id,
    told.product_type,
    extract(hour from told.purchased_at at time zone 'UTC')::integer,
    utc_hour(told.occurred_at),
    coalesce(told.server, ''),
    coalesce(told.region, ''),
    coalesce(told.app_version, ''),
    coalesce(told.error, '')
