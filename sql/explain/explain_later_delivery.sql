-- Returns one row for each record of a delivery that is known only from after as-of, with the thing that it belongs to:
-- a purchase, a transaction after as-of, or itself.
--
-- Gives  environment, thing_key, and the record
select
    coalesce(placed.environment, own_environment(delivery_record.environment, false)) as environment,
    coalesce(placed.thing_key, 'later delivery ' || delivery_record.delivery_id) as thing_key,
    delivery_record.delivery_id,
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.web_order_line_item_id,
    delivery_record.account_id,
    delivery_record.device_id,
    delivery_record.product_id,
    delivery_record.status,
    delivery_record.occurred_at,
    delivery_record.file_id,
    delivery_record.line
from delivery_record
left join attempt on delivery_record.delivery_id = attempt.delivery_id
left join lateral (
    select
        told.environment,
        told.thing_key
    from (
        select
            1 as place,
            member.environment,
            member.obligation_key as thing_key
        from member
        where member.transaction_id = delivery_record.transaction_id
        union all
        select
            2,
            member.environment,
            member.obligation_key
        from member
        where member.web_order_line_item_id = delivery_record.web_order_line_item_id
        union all
        select
            3,
            store_transaction.environment,
            'transaction ' || store_transaction.transaction_id
        from store_transaction
        where store_transaction.transaction_id = delivery_record.transaction_id
    ) as told
    where delivery_record.environment is null or told.environment = delivery_record.environment
    -- Without an environment, it is Production's if there is a choice (own_environment).
    order by told.environment <> 'Production', told.place, told.thing_key
    limit 1
) as placed
    on true
where attempt.delivery_id is null
