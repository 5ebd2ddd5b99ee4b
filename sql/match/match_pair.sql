-- Pairs each transaction that the night considers with the delivery record that names it.
--
-- A transaction without a delivery record, and a delivery record without a transaction, are rows of their own. Several
-- records of one transaction are several rows: match_exception.sql finds them.
--
-- Takes          the ledger, or its affected part; night; considered_transaction as a view.
-- Leaves behind  matched: the pairs. match_ledger.sql removes those of exceptions. Its columns are those of
--                judge_matched.sql, and those by which a pair is classified.

create temporary table matched on commit drop as
with

considered as (

    select
        considered_transaction.transaction_number,
        considered_transaction.environment,
        considered_transaction.original_number,
        considered_transaction.product_number,
        considered_transaction.product_id,
        considered_transaction.product_type,
        considered_transaction.quantity,
        considered_transaction.purchased_at,
        considered_transaction.expires_at,
        considered_transaction.line_item_number,
        considered_transaction.is_trial,
        considered_transaction.is_offer,
        considered_transaction.price,
        considered_transaction.currency,
        considered_transaction.storefront,
        considered_transaction.trust,
        considered_transaction.is_configured,
        considered_transaction.account_ids[1] as account_id,
        considered_transaction.account_tokens[1] as account_token,
        considered_transaction.delivery,
        considered_transaction.purchased_at + considered_transaction.grace as due_at,
        -- As if it were the first member of its family; match_family.sql corrects that.
        considered_transaction.product_type = 'auto_renewable'
        or considered_transaction.transaction_number = considered_transaction.original_number
            as is_completed,
        disposition(
            considered_transaction.is_configured,
            considered_transaction.is_family_shared,
            considered_transaction.transaction_number <> considered_transaction.original_number
            and considered_transaction.product_type <> 'auto_renewable',
            considered_transaction.is_trial or considered_transaction.price = 0,
            considered_transaction.transaction_number <> considered_transaction.original_number
        ) as disposition,
        -- One delivery serves the whole chain of a subscription, and it is not the first purchase of the chain.
        considered_transaction.product_type = 'auto_renewable'
        and considered_transaction.transaction_number <> considered_transaction.original_number
        and coalesce(considered_transaction.delivery_per, '') <> 'period' as is_served_by_chain,
        -- No rule looks at it because of the transaction alone (invalid_product_id, conflicting_transaction,
        -- shared_purchase, unrestorable_restore) or because of a refund. A transaction of another environment is only
        -- counted.
        not considered_transaction.is_configured
        or (
            considered_transaction.product_state = 'valid'
            and considered_transaction.refunded_at is null
            and not considered_transaction.is_conflicting
            and cardinality(considered_transaction.account_ids) <= 1
            and cardinality(considered_transaction.account_tokens) <= 1
            and case considered_transaction.product_type
                when 'auto_renewable' then considered_transaction.line_item_number is not null
                when 'non_consumable' then true
                else considered_transaction.transaction_number = considered_transaction.original_number
            end
        ) as is_plain
    from considered_transaction

)

-- Columns of fixed size come first: the queries after this one read them from every row.
select
    considered.purchased_at,
    considered.due_at,
    considered.is_configured,
    considered.is_completed,
    considered.is_served_by_chain,
    considered.is_plain,
    record.transaction_number is null
    or (
        record.status = 'delivered'
        and record.product_number = considered.product_number
        and record.occurred_at <= (select as_of from night)
        and own_environment(record.environment, considered.environment = 'Sandbox') = considered.environment
        and coalesce(record.account_id = considered.account_id, true)
    ) is true as is_plainly_delivered,
    considered.is_trial,
    considered.is_offer,
    considered.quantity,
    record.occurred_at as delivered_at,
    considered.expires_at,
    considered.transaction_number,
    considered.original_number,
    considered.line_item_number,
    record.transaction_number as delivered_number,
    considered.disposition,
    considered.product_id,
    considered.product_type,
    considered.environment,
    record.server,
    considered.delivery,
    considered.trust,
    considered.price,
    considered.currency,
    considered.storefront,
    record.region,
    record.app_version,
    -- A family names its accounts in evidence and deliveries.
    coalesce(considered.account_id, record.account_id) as named_account_id,
    considered.account_token
from considered
full join delivery_record as record on considered.transaction_number = record.transaction_number;

analyze matched (
    transaction_number, environment, original_number, product_id, product_type, line_item_number, delivered_number,
    delivered_at, purchased_at, is_configured, is_completed, is_served_by_chain, is_plain,
    is_plainly_delivered, disposition
)
