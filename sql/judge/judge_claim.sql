-- Returns one row for each different entry of an app's payment queue up to as-of, in the environment that it belongs
-- to.
--
-- A claim is no evidence of money. judge_member.sql and the rules say how claims are used.
with

claimed as (

    select
        client_transaction.*,
        -- The transaction by which the App Store knows the entry: of a restore, its original transaction.
        case
            when client_transaction.state = 'restored' then client_transaction.original_transaction_id
            else client_transaction.transaction_id
        end as named_transaction_id
    from client_transaction
    cross join night
    where client_transaction.occurred_at <= night.as_of

),

-- The ids that only a sandbox transaction has (own_environment).
sandbox_only as (

    select transaction_id
    from considered_transaction
    where
        transaction_id in (
            select named_transaction_id from claimed where environment is null
        )
    group by transaction_id
    having bool_and(environment = 'Sandbox')

),

placed as (

    select
        claimed.*,
        own_environment(claimed.environment, sandbox_only.transaction_id is not null) as own_environment
    from claimed
    left join sandbox_only on claimed.named_transaction_id = sandbox_only.transaction_id

)

select
    placed.own_environment as environment,
    placed.own_environment = any(night.environments) as is_configured,
    placed.state,
    placed.transaction_id,
    placed.original_transaction_id,
    placed.product_id,
    placed.occurred_at,
    placed.account_id,
    placed.device_id,
    placed.app_version,
    -- Evidence contains the transaction itself.
    considered_transaction.transaction_id is not null as is_known
from placed
cross join night
left join considered_transaction
    on placed.own_environment = considered_transaction.environment
    and placed.transaction_id = considered_transaction.transaction_id
