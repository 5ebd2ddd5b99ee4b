-- Returns one row for each record of a delivery that is known only from after as-of, with the thing that it belongs to:
-- a purchase, a transaction after as-of, or itself.
--
-- Takes  attempt, member, and the ledger of the affected part
-- Gives  environment, thing_key, and the record
with

later as (

    select delivery_record.*
    from delivery_record
    left join attempt on delivery_record.delivery_id = attempt.delivery_id
    where attempt.delivery_id is null

),

-- One thing for each identifier and environment, so that thousands of records of one line item are not compared with
-- thousands of its members.
transaction_thing as (

    select 1 as place, transaction_id, environment, min(obligation_key) as thing_key
    from member
    group by transaction_id, environment
    union all
    select 3, transaction_id, environment, 'transaction ' || transaction_id
    from store_transaction

),

line_item_thing as (

    select
        web_order_line_item_id,
        environment,
        min(obligation_key) as thing_key
    from member
    where web_order_line_item_id is not null
    group by web_order_line_item_id, environment

),

candidate as (

    select
        later.delivery_id,
        later.content_hash,
        transaction_thing.place,
        transaction_thing.environment,
        transaction_thing.thing_key
    from later
    inner join transaction_thing on later.transaction_id = transaction_thing.transaction_id
    where later.environment is null or transaction_thing.environment = later.environment
    union all
    select later.delivery_id, later.content_hash, 2, line_item_thing.environment, line_item_thing.thing_key
    from later
    inner join line_item_thing on later.web_order_line_item_id = line_item_thing.web_order_line_item_id
    where later.environment is null or line_item_thing.environment = later.environment

),

placed as (

    select distinct on (delivery_id, content_hash)
        delivery_id,
        content_hash,
        environment,
        thing_key
    from candidate
    -- Without an environment, it is Production's if there is a choice (own_environment).
    order by delivery_id, content_hash, environment <> 'Production', place, thing_key, environment

)

select
    coalesce(placed.environment, own_environment(later.environment, false)) as environment,
    coalesce(placed.thing_key, 'later delivery ' || later.delivery_id) as thing_key,
    later.delivery_id,
    later.transaction_id,
    later.original_transaction_id,
    later.web_order_line_item_id,
    later.account_id,
    later.device_id,
    later.product_id,
    later.status,
    later.occurred_at,
    later.file_id,
    later.line
from later
left join placed
    on later.delivery_id = placed.delivery_id and later.content_hash = placed.content_hash
