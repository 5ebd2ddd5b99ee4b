-- Returns one row for each transaction whose product state is not valid, and for each delivery of a product that is not
-- in the catalogue.
--
-- There is no row while there is no catalogue.
select
    'transaction' as kind,
    member.environment,
    member.transaction_id as record_id,
    member.product_id,
    member.product_state as reason,
    member.transaction_id,
    member.purchased_at as seen_at,
    member.account_ids
from member
where
    member.is_configured
    and member.product_state <> 'valid'
    and exists (select from product)
union all
select
    'delivery',
    attempt.environment,
    attempt.delivery_id,
    attempt.product_id,
    'unknown',
    attempt.transaction_id,
    attempt.occurred_at,
    array_remove(array[attempt.account_id], null)
from attempt
where
    attempt.is_configured
    and not attempt.is_listed
    and exists (select from product)
