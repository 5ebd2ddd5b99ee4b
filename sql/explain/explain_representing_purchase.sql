-- Returns one row for each explained purchase: the purchase that represents its chain, a completed one if there is one,
-- with the refunds of the chain.
--
-- Takes  thing.
-- Gives  the columns below; thing_key: the key of the obligation
select distinct on (family.environment, family.obligation_key)
    family.environment,
    family.obligation_key as thing_key,
    family.transaction_id,
    family.original_transaction_id,
    family.product_id,
    family.disposition,
    family.purchased_at,
    family.is_listed,
    family.is_completed,
    family.is_configured,
    max(family.refunded_at) over chain as refunded_at,
    bool_and(family.refunded_at is not null) over chain as is_refunded,
    count(*) over chain as families,
    count(family.refunded_at) over chain as refunds,
    first_value(family.transaction_id) over latest_refund as refunded_transaction_id,
    first_value(family.is_upgrade) over latest_refund as is_upgrade
from thing
inner join family
    on thing.environment = family.environment and thing.thing_key = family.obligation_key
window
    chain as (partition by family.environment, family.obligation_key),
    latest_refund as (
        partition by family.environment, family.obligation_key
        order by family.refunded_at desc nulls last, identifier_order(family.transaction_id)
    )
order by
    family.environment,
    family.obligation_key,
    family.is_completed desc,
    representative_first(family.refunded_at, family.purchased_at, family.transaction_id)
