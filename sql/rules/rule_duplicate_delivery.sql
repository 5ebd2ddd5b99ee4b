-- Duplicate delivery: the same thing handed over to the same device more than once.
--
-- Finds      transactions with several delivered deliveries of one product to one device; missing
--            device ids count as one device.
--
-- Gives  level, environment, subject, reason, detail
with

repeated as (

    select
        environment,
        transaction_id,
        product_id,
        device_id,
        count(*) as deliveries
    from attempt
    where is_configured and status = 'delivered'
    group by environment, transaction_id, product_id, device_id
    having count(*) > 1

)

select
    'info' as level,
    environment,
    transaction_id as subject,
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
    ) as detail
from repeated
group by environment, transaction_id
