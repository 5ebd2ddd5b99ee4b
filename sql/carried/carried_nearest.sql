-- Updates the best possible match that is carried forward with each missing delivery.
--
-- Takes  missed; possible_match (carried_possible_match.sql)
with

nearest as materialized (

    select
        missed.environment,
        missed.obligation_key,
        possible_match.delivery_id,
        possible_match.differs
    from missed
    left join possible_match
        on missed.environment = possible_match.environment
        and missed.obligation_key = possible_match.obligation_key
        and possible_match.place = 1

)

update carried_missing_delivery
set
    possible_match_delivery_id = nearest.delivery_id,
    possible_match_differs = nearest.differs
from nearest
where
    carried_missing_delivery.environment = nearest.environment
    and carried_missing_delivery.obligation_key = nearest.obligation_key
    and (carried_missing_delivery.possible_match_delivery_id, carried_missing_delivery.possible_match_differs)
    is distinct from (nearest.delivery_id, nearest.differs)
