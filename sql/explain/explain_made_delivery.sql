-- Returns one row for each delivery that was made for an explained purchase, with its place in the order in which
-- deliveries are named.
--
-- A delivery in time comes first: at or after the purchase, and at or before its due date. Then comes one before the
-- purchase, and then a late one; of several the earliest, then the lowest delivery. The purchase is the one that
-- represents the chain, as in judge_obligation.sql. A purchase without an obligation has no due date.
--
-- Takes  thing, representing_purchase (explain_representing_purchase.sql).
-- Gives  environment, thing_key, product_id, delivery_id, account_id, device_id, server, occurred_at; place: among all
--        deliveries of the purchase, place_of_product: among those of the same product
with

made as (

    select
        thing.environment,
        thing.thing_key,
        attempt.product_id,
        attempt.delivery_id,
        attempt.account_id,
        attempt.device_id,
        attempt.server,
        attempt.occurred_at,
        case
            when attempt.occurred_at < representing_purchase.purchased_at then 2
            when attempt.occurred_at > obligation.due_at then 3
            else 1
        end as timing
    from thing
    inner join attempt
        on thing.environment = attempt.environment and thing.thing_key = attempt.obligation_key
    left join representing_purchase
        on thing.environment = representing_purchase.environment
        and thing.thing_key = representing_purchase.thing_key
    left join obligation
        on thing.environment = obligation.environment and thing.thing_key = obligation.obligation_key
    where attempt.status = 'delivered'

)

select
    environment,
    thing_key,
    product_id,
    delivery_id,
    account_id,
    device_id,
    server,
    occurred_at,
    row_number() over (
        partition by environment, thing_key
        order by timing, occurred_at, delivery_id
    ) as place,
    row_number() over (
        partition by environment, thing_key, product_id
        order by timing, occurred_at, delivery_id
    ) as place_of_product
from made
