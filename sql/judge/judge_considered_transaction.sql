-- Returns one row for each transaction that the night considers: each one that was purchased by as-of, in any
-- environment, with what the catalogue says about its product.
--
-- It reads the night by subqueries, which the server evaluates once. A join with one row costs something for each
-- transaction.
with

considered as (

    select
        store_transaction.environment,
        store_transaction.transaction_id,
        store_transaction.original_transaction_id,
        -- The view store_transaction would look up the product of every row.
        coalesce(
            product.product_id,
            (
                select recorded_product.product_id
                from recorded_product
                where recorded_product.product_number = store_transaction.product_number
            )
        ) as product_id,
        store_transaction.product_number,
        store_transaction.transaction_number,
        store_transaction.original_number,
        store_transaction.line_item_number,
        store_transaction.quantity,
        coalesce(
            product.type,
            -- A type that Apple signed comes before the type that the other fields suggest.
            store_transaction.product_type,
            case
                when
                    store_transaction.expires_at is not null
                    or store_transaction.line_item_number is not null
                    then 'auto_renewable'
                else 'non_consumable'
            end
        ) as product_type,
        purchase_date(
            store_transaction.transaction_number = store_transaction.original_number,
            coalesce(product.type, store_transaction.product_type),
            store_transaction.expires_at,
            store_transaction.line_item_number,
            store_transaction.first_purchased_at,
            store_transaction.first_original_purchased_at
        ) as purchased_at,
        store_transaction.original_purchased_at,
        store_transaction.expires_at,
        case
            when store_transaction.is_refund_questioned then refund.standing_refunds
            when store_transaction.cancelled_at <= (select as_of from night) then array[store_transaction.cancelled_at]
        end as standing_refunds,
        case
            when store_transaction.is_refund_questioned then refund.standing_parts
            when store_transaction.cancelled_at <= (select as_of from night)
                then array[store_transaction.revocation_percentage]
        end as standing_parts,
        refund.reversed_refunds,
        store_transaction.web_order_line_item_id,
        store_transaction.is_trial,
        store_transaction.is_introductory_offer or store_transaction.is_promotional_offer as is_offer,
        store_transaction.is_family_shared,
        store_transaction.is_upgraded,
        store_transaction.is_conflicting,
        store_transaction.price,
        store_transaction.currency,
        store_transaction.storefront,
        store_transaction.account_ids,
        store_transaction.device_ids,
        store_transaction.account_tokens,
        store_transaction.trust,
        store_transaction.environment = any((select environments from night)::text []) as is_configured,
        product.product_id is not null as is_listed,
        product.valid_from,
        product.valid_to,
        product.delivery_per,
        product.delivery,
        coalesce(product.grace, (select grace from night)) as grace,
        (select as_of from night) as as_of
    from store_transaction
    left join product on store_transaction.product_number = product.product_number
    -- Few refunds are questioned. For all other transactions the key is null, and no text is hashed.
    left join refund
        on case when store_transaction.is_refund_questioned then store_transaction.environment end = refund.environment
        and case when store_transaction.is_refund_questioned then store_transaction.transaction_id end
        = refund.transaction_id

)

select
    considered.*,
    considered.standing_refunds[1] as refunded_at,
    product_state(
        considered.is_listed,
        considered.purchased_at,
        least(considered.purchased_at, considered.original_purchased_at),
        considered.valid_from,
        considered.valid_to
    ) as product_state
from considered
where considered.purchased_at <= considered.as_of
