-- Returns one row for each undelivered obligation, with the reason: why its delivery is missing.
--
-- The rule missing_delivery makes a finding of each. Two of them can have the same subject if an identifier contains
-- spaces. Then they are one finding, but each has its own reason here.
with

owed as not materialized (

    select obligation.*
    from obligation
    where obligation.class = 'undelivered'

),

latest as (

    select distinct on (owed.environment, owed.obligation_key)
        owed.environment,
        owed.obligation_key,
        attempt.status,
        bool_or(attempt.status = 'delivered') over (
            partition by owed.environment, owed.obligation_key
        ) as is_other_product_delivered
    from owed
    inner join attempt using (environment, obligation_key)
    order by
        owed.environment,
        owed.obligation_key,
        latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)

)

select
    owed.environment,
    owed.obligation_key,
    owed.subject,
    owed.transaction_id,
    owed.original_transaction_id,
    owed.product_id,
    owed.product_type,
    owed.purchased_at,
    owed.due_at,
    -- The family of the purchase.
    owed.family_key,
    case
        when latest.is_other_product_delivered then 'wrong_product'
        when latest.status is not null then latest.status
        when unrecorded.obligation_key is not null then 'no_records'
        when unheard.obligation_key is not null then 'no_records'
        else 'never_attempted'
    end as reason
from owed
left join latest using (environment, obligation_key)
left join unrecorded using (environment, obligation_key)
left join unheard using (environment, obligation_key)
