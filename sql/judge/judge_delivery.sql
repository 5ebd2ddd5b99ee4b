-- The deliveries that the night considers: of each attempt the record that stands at as-of, in the
-- environment it belongs to.
with

-- offset 0: read as it stands. The planner would else multiply the table by the hashes below.
considered as not materialized (

    select
        delivery_record.*,
        hashtextextended(delivery_record.delivery_id, 0) as delivery_hash
    from delivery_record
    cross join night
    where delivery_record.occurred_at <= night.as_of
    offset 0

),

-- Most deliveries have one record, and need no order. Ids that share a hash are a few too many.
shared_hash as materialized (

    select delivery_hash
    from considered
    group by delivery_hash
    having count(*) > 1

),

standing as (

    select considered.*
    from considered
    where not exists (
        select
        from shared_hash
        where shared_hash.delivery_hash = considered.delivery_hash
    )
    union all
    (
        select distinct on (considered.delivery_id)
            considered.*
        from considered
        where exists (
            select
            from shared_hash
            where shared_hash.delivery_hash = considered.delivery_hash
        )
        order by
            considered.delivery_id,
            considered.occurred_at desc,
            -- delivered, failed, pending: in the order of the alphabet.
            considered.status,
            -- Apple's ids compare as numbers: shorter first.
            length(considered.transaction_id),
            considered.transaction_id,
            considered.product_id,
            considered.environment nulls first,
            length(considered.original_transaction_id) nulls first,
            considered.original_transaction_id nulls first,
            length(considered.web_order_line_item_id) nulls first,
            considered.web_order_line_item_id nulls first,
            considered.account_id nulls first,
            considered.device_id nulls first,
            considered.server nulls first,
            considered.region nulls first,
            considered.app_version nulls first,
            considered.error nulls first,
            considered.bytes nulls first
    )

),

-- Without an environment of its own it is Sandbox if only a sandbox transaction has its id.
sandbox_only as (

    select distinct member.transaction_id
    from member
    where
        member.environment = 'Sandbox'
        and not exists (
            select
            from member as elsewhere
            where
                elsewhere.transaction_id = member.transaction_id
                and elsewhere.environment <> 'Sandbox'
        )

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
