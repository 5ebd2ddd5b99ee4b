-- Returns the ids whose rejected delivery records can be why no delivery is known: the explained transactions whose
-- product was not delivered, and the ids of their families or chains.
--
-- Takes  latest_attempt (explain_latest_attempt.sql), made_delivery (explain_made_delivery.sql).
-- Gives  environment, thing_key, name
with

without_delivery as (

    select
        latest_attempt.environment,
        latest_attempt.obligation_key as thing_key,
        latest_attempt.transaction_id
    from latest_attempt
    left join made_delivery
        on latest_attempt.environment = made_delivery.environment
        and latest_attempt.obligation_key = made_delivery.thing_key
        and latest_attempt.product_id = made_delivery.product_id
        and made_delivery.place_of_product = 1
    where made_delivery.delivery_id is null

)

select
    environment,
    thing_key,
    transaction_id as name
from without_delivery
union
select
    owed.environment,
    owed.thing_key,
    id.name
from (select distinct environment, thing_key from without_delivery) as owed
inner join member
    on owed.environment = member.environment and owed.thing_key = member.obligation_key
cross join unnest(array[member.transaction_id, member.web_order_line_item_id]) as id (name)
where id.name is not null
