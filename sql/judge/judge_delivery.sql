-- The deliveries that the night considers: of each attempt the record that stands at as-of, in the
-- environment it belongs to.
with

standing as (

    select distinct on (delivery_record.delivery_id)
        delivery_record.*
    from delivery_record
    cross join night
    where delivery_record.occurred_at <= night.as_of
    order by
        delivery_record.delivery_id,
        delivery_record.occurred_at desc,
        -- delivered, failed, pending: in the order of the alphabet.
        delivery_record.status,
        -- Apple's ids compare as numbers: shorter first.
        length(delivery_record.transaction_id),
        delivery_record.transaction_id,
        delivery_record.product_id,
        delivery_record.environment nulls first,
        length(delivery_record.original_transaction_id) nulls first,
        delivery_record.original_transaction_id nulls first,
        length(delivery_record.web_order_line_item_id) nulls first,
        delivery_record.web_order_line_item_id nulls first,
        delivery_record.account_id nulls first,
        delivery_record.device_id nulls first,
        delivery_record.server nulls first,
        delivery_record.region nulls first,
        delivery_record.app_version nulls first,
        delivery_record.error nulls first,
        delivery_record.bytes nulls first

),

-- Without an environment of its own it is Sandbox if only a sandbox transaction has its id.
sandbox_only as (

    select transaction_id
    from member
    where environment = 'Sandbox'
    except
    select transaction_id
    from member
    where environment <> 'Sandbox'

)

select
    standing.delivery_id,
    coalesce(
        standing.environment,
        case when sandbox_only.transaction_id is not null then 'Sandbox' else 'Production' end
    ) as environment,
    standing.transaction_id,
    standing.product_id,
    standing.status,
    standing.occurred_at,
    standing.original_transaction_id,
    standing.web_order_line_item_id,
    standing.account_id,
    standing.device_id,
    standing.server,
    standing.region,
    standing.app_version,
    standing.error,
    standing.bytes
from standing
left join sandbox_only
    on standing.environment is null and standing.transaction_id = sandbox_only.transaction_id
