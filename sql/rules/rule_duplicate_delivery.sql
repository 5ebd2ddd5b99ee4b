-- Returns one finding for each transaction of which a product was delivered to one device more than once.
--
-- Finds      transactions with several delivered deliveries of one product to one device. Missing device ids count as
--            one device.
--
-- Levels     info
-- Judges     purchases
-- Exception  match_exception.sql
-- Time       no
-- Reads      attempt
-- Gives      level, environment, reason, detail, family_key
-- Key        transaction_id
-- Resolved   records
-- Sentence   Delivered more than once
-- Otherwise  explain_verdict.sql
with

-- Few transactions were delivered twice. Ids that share a hash only add candidates, which are counted exactly below.
candidate as materialized (

    select transaction_hash
    from (
        -- Counting sorted numbers is faster than hashing a million groups.
        select hashtextextended(transaction_id, 0) as transaction_hash
        from attempt
        where is_configured and status = 'delivered'
        order by 1
    ) as delivered
    group by transaction_hash
    having count(*) > 1

),

repeated as (

    select
        environment,
        transaction_id,
        product_id,
        device_id,
        min(family_key) as family_key,
        max(family_key) as last_family_key,
        count(*) as deliveries
    from attempt
    where
        is_configured
        and status = 'delivered'
        and exists (
            select
            from candidate
            where candidate.transaction_hash = hashtextextended(attempt.transaction_id, 0)
        )
    group by environment, transaction_id, product_id, device_id
    having count(*) > 1

)

select
    'info' as level,
    environment,
    transaction_id,
    null as reason,
    string_agg(
        format(
            '%s deliveries of %s to %s',
            deliveries,
            product_id,
            coalesce('device ' || device_id, 'no named device')
        ),
        ', '
        order by product_id, device_id
    ) as detail,
    -- Deliveries with one transaction can belong to different families.
    case when min(family_key) = max(last_family_key) then min(family_key) end as family_key
from repeated
group by environment, transaction_id
