-- Returns the number of owed deliveries that were made, by the properties that missing deliveries are compared in:
-- product, type, hour of the purchase, and the server, region and app version of the delivery.
--
-- It counts deliveries that fall due in the 14 days before as-of, or later. An unknown value is the empty text.
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
    cross join night
    where
        obligation.is_delivered
        and not obligation.is_refunded
        and not obligation.is_before_books
        and obligation.due_at
        >= date_bin('1 hour', night.as_of, '2000-01-01T00:00:00Z') - interval '336 hours'

),

-- The first delivery counts. The order begins with numbers, because they are compared faster.
served as (

    select distinct on (owed.obligation_hash, owed.environment, owed.obligation_key)
        owed.product_id,
        owed.product_type,
        owed.purchased_at,
        owed.due_at,
        attempt.server,
        attempt.region,
        attempt.app_version
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

)

select
    date_bin('1 hour', due_at, '2000-01-01T00:00:00Z') as due_hour,
    product_id,
    product_type,
    extract(hour from purchased_at at time zone 'UTC')::integer as purchase_hour,
    coalesce(server, '') as server,
    coalesce(region, '') as region,
    coalesce(app_version, '') as app_version,
    count(*) as deliveries
from served
group by
    date_bin('1 hour', due_at, '2000-01-01T00:00:00Z'),
    product_id,
    product_type,
    extract(hour from purchased_at at time zone 'UTC')::integer,
    coalesce(server, ''),
    coalesce(region, ''),
    coalesce(app_version, '')
