-- Returns one row for each explained transaction whose latest attempt failed in an outage: in that hour (UTC), attempts
-- failed on the same server for three accounts or more. It names the first and the last of these deliveries.
--
-- Takes  latest_attempt (explain_latest_attempt.sql), product.
-- Gives  environment, transaction_id, accounts, first_delivery_id, last_delivery_id
with

-- The accounts for which the server of a failed attempt failed in the same hour.
failure as materialized (

    select
        latest_attempt.environment,
        latest_attempt.transaction_id,
        record.account_id,
        record.delivery_id,
        record.content_hash,
        record.transaction_number,
        record.environment as named_environment
    from latest_attempt
    cross join night
    inner join tieout.delivery_record as record
        on latest_attempt.server = record.server
        and record.occurred_at >= utc_hour(latest_attempt.occurred_at)
        and record.occurred_at < utc_hour(latest_attempt.occurred_at) + interval '1 hour'
    where
        latest_attempt.status = 'failed'
        and record.status_code = 'failed'
        and record.account_id is not null
        and record.occurred_at <= night.as_of

),

-- What evidence contains under the ids without an environment.
known as materialized (

    select
        ledger.environment,
        ledger.transaction_number,
        ledger.original_number,
        ledger.product_number,
        ledger.product_type,
        ledger.expires_at,
        ledger.line_item_number,
        ledger.first_purchased_at,
        ledger.first_original_purchased_at
    from tieout.store_transaction as ledger
    where ledger.transaction_number in (select transaction_number from failure where named_environment is null)

),

-- The ids that only a sandbox transaction has by as-of (own_environment).
sandbox_only as materialized (

    select known.transaction_number
    from known
    cross join night
    left join product on known.product_number = product.product_number
    where
        purchase_date(
            known.transaction_number = known.original_number,
            coalesce(product.type, known.product_type),
            known.expires_at,
            known.line_item_number,
            known.first_purchased_at,
            known.first_original_purchased_at
        ) <= night.as_of
    group by known.transaction_number
    having bool_and(known.environment = 'Sandbox')

),

-- Those in the configured environments.
near_failure as (

    select failure.*
    from failure
    cross join night
    left join sandbox_only on failure.transaction_number = sandbox_only.transaction_number
    where
        own_environment(failure.named_environment, sandbox_only.transaction_number is not null)
        = any(night.environments)

),

-- A record counts only if no other record of its delivery applies instead, such as a later one that is delivered.
standing as (

    select *
    from (
        select distinct on (record.delivery_id)
            record.delivery_id,
            record.content_hash
        from (select distinct delivery_id from near_failure) as failed
        cross join night
        inner join tieout.delivery_record as record on failed.delivery_id = record.delivery_id
        where record.occurred_at <= night.as_of
        order by
            record.delivery_id,
            standing_first(
                record.revision,
                record.occurred_at,
                record.status,
                record.transaction_id,
                record.product_id,
                record.environment,
                record.original_transaction_id,
                record.web_order_line_item_id,
                record.account_id,
                record.device_id,
                record.server,
                record.region,
                record.app_version,
                record.error,
                record.bytes
            )
    ) as ranked

)

select
    environment,
    transaction_id,
    count(distinct account_id) as accounts,
    min(delivery_id) as first_delivery_id,
    max(delivery_id) as last_delivery_id
from near_failure
inner join standing using (delivery_id, content_hash)
group by environment, transaction_id
having count(distinct account_id) >= 3
