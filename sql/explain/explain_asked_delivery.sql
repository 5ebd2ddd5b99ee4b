-- Returns one row for the purchase of the delivery that was asked for: whether it is the only one, and the missing
-- deliveries of other purchases for which it is the best possible match.
--
-- Takes  tieout.explained, thing.
-- Gives  environment, thing_key, is_only, missed: the transactions of these missing deliveries, or null
with

asked as (

    select
        thing.environment,
        thing.thing_key,
        attempt.delivery_id
    from thing
    inner join attempt
        on thing.environment = attempt.environment and thing.thing_key = attempt.obligation_key
    where thing.kind = 'purchase' and attempt.delivery_id = current_setting('tieout.explained')

)

select
    asked.environment,
    asked.thing_key,
    not exists (
        select
        from attempt as other
        where
            asked.environment = other.environment
            and asked.thing_key = other.obligation_key
            and asked.delivery_id <> other.delivery_id
    ) as is_only,
    -- The missing deliveries of the whole ledger, not only of the affected part.
    (
        select string_agg(missing.transaction_id, ', ' order by identifier_order(missing.transaction_id))
        from tieout.carried_missing_delivery as missing
        where
            missing.possible_match_delivery_id = asked.delivery_id
            and (missing.environment, missing.obligation_key) is distinct from (asked.environment, asked.thing_key)
    ) as missed
from asked
order by asked.environment, asked.thing_key
