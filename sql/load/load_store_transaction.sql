-- Inserts the transactions that have only one statement (lone_statement of load_evidence.sql).
--
-- That statement is the whole merge. load_merge.sql merges all other transactions.
insert into store_transaction (
    environment, transaction_id, original_transaction_id, product_id, quantity, first_purchased_at,
    first_original_purchased_at, original_purchased_at, expires_at, cancelled_at,
    web_order_line_item_id, is_trial, is_introductory_offer, is_promotional_offer, is_family_shared,
    is_upgraded, price, currency, storefront, account_ids, device_ids, is_conflicting, trust, product_type,
    revocation_percentage, account_tokens, is_refund_questioned, is_suspicious
)
select
    environment,
    transaction_id,
    coalesce(original_transaction_id, transaction_id),
    product_id,
    coalesce(quantity, 1),
    purchased_at,
    original_purchased_at,
    original_purchased_at,
    expires_at,
    cancelled_at,
    web_order_line_item_id,
    is_trial,
    is_introductory_offer,
    is_promotional_offer,
    is_family_shared,
    is_upgraded,
    price::numeric,
    currency,
    storefront,
    array_remove(array[account_id], null),
    array_remove(array[device_id], null),
    false,
    trust,
    product_type,
    revocation_percentage,
    array_remove(array[account_token], null),
    false,
    trust <> 'signed'
    and (
        dates_disagree
        or environments_disagree
        or coalesce(expires_at >= '2091-01-01T00:00:00Z', false)
    )
from lone_statement
