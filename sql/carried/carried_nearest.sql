-- Updates the best possible match that is carried forward with each missing delivery.
--
-- Takes  missed; near_miss (carried_near_miss.sql)
with

nearest as materialized (

    select
        missed.environment,
        missed.obligation_key,
        near_miss.delivery_id,
        near_miss.differs
    from missed
    left join near_miss
        on missed.environment = near_miss.environment
        and missed.obligation_key = near_miss.obligation_key
        and near_miss.place = 1

)

update carried_missing_delivery
set
    near_miss_delivery_id = nearest.delivery_id,
    near_miss_differs = nearest.differs
from nearest
where
    carried_missing_delivery.environment = nearest.environment
    and carried_missing_delivery.obligation_key = nearest.obligation_key
    and (carried_missing_delivery.near_miss_delivery_id, carried_missing_delivery.near_miss_differs)
    is distinct from (nearest.delivery_id, nearest.differs)
