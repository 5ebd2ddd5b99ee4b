-- Returns one row for each piece of evidence that contains one of the given names, in the form in which it is loaded.
--
-- Takes  $1: an array with the names.
select
    evidence.transaction_number,
    evidence.content_hash,
    evidence.file_id,
    evidence.environment_code,
    evidence.transaction_id,
    evidence.original_transaction_id,
    evidence.product_id,
    evidence.quantity::text as quantity,
    extract(epoch from evidence.purchased_at)::bigint as purchased_at,
    extract(epoch from evidence.original_purchased_at)::bigint as original_purchased_at,
    extract(epoch from evidence.expires_at)::bigint as expires_at,
    extract(epoch from evidence.cancelled_at)::bigint as cancelled_at,
    evidence.web_order_line_item_id,
    evidence.is_trial::text as is_trial,
    evidence.is_introductory_offer::text as is_introductory_offer,
    evidence.is_promotional_offer::text as is_promotional_offer,
    evidence.is_family_shared::text as is_family_shared,
    evidence.is_upgraded::text as is_upgraded,
    evidence.price::text as price_text,
    evidence.currency,
    evidence.storefront,
    evidence.account_id,
    evidence.device_id,
    (evidence.trust = 'signed')::text as is_signed,
    evidence.is_signed_transaction::text as is_signed_transaction,
    evidence.product_type,
    evidence.revocation_percentage::text as revocation_percentage,
    evidence.account_token,
    evidence.dates_disagree::text as dates_disagree,
    evidence.environments_disagree::text as environments_disagree
from evidence
where
    evidence.account_id = any($1::text[])
    or evidence.device_id = any($1::text[])
    or evidence.account_token = any($1::text[])
