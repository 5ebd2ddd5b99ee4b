-- Returns one row for each restore that only apps report, with the accounts and devices of all its claims.
select
    claim.environment,
    claim.transaction_id,
    array_remove(array_agg(distinct claim.account_id), null) as account_ids,
    array_remove(array_agg(distinct claim.device_id), null) as device_ids
from claim
inner join considered_transaction as original
    on claim.environment = original.environment
    and claim.original_transaction_id = original.transaction_id
    and claim.product_id = original.product_id
where claim.state = 'restored' and not claim.is_known
group by 1, 2
