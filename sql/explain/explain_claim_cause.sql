-- Returns one row for each transaction of the affected part that an app reports and no evidence contains: its cause in
-- one word and in one sentence.
--
-- Takes  claim, found.
-- Gives  environment, transaction_id: the original transaction if the app names only that; product_id, cause, sentence
with

claimed as (

    select distinct on (claim.environment, coalesce(claim.transaction_id, claim.original_transaction_id))
        claim.environment,
        coalesce(claim.transaction_id, claim.original_transaction_id) as transaction_id,
        claim.product_id,
        claim.state,
        claim.occurred_at,
        found.rule
    from claim
    left join found
        on found.rule = 'purchase_without_receipt'
        and claim.environment = found.environment
        and claim.transaction_id = (found.key).transaction_id
    where coalesce(claim.transaction_id, claim.original_transaction_id) is not null
    order by
        claim.environment,
        coalesce(claim.transaction_id, claim.original_transaction_id),
        claim.occurred_at,
        claim.state,
        claim.product_id,
        found.rule

)

select
    environment,
    transaction_id,
    product_id,
    case when rule is not null then 'purchase_without_receipt' else 'claimed' end as cause,
    format(
        'An app saw transaction %s, %s,%s on %s%s.',
        transaction_id,
        product_id,
        case when state <> 'purchased' then format(' as %s', state) end,
        csv_instant(occurred_at),
        case
            when state <> 'purchased' then ', and no evidence contains it'
            when rule is not null then ', and no receipt contains it'
            else '; its receipt may still come, or came under another id'
        end
    ) as sentence
from claimed
