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
    case
        when state <> 'purchased'
            then format('An app saw this as %s on %s, and no evidence contains it.', state, csv_instant(occurred_at))
        when rule is not null
            then format('An app saw this purchase on %s, and no receipt contains it.', csv_instant(occurred_at))
        else
            format(
                'An app saw this purchase on %s; its receipt may still come, or came under another id.',
                csv_instant(occurred_at)
            )
    end as sentence
from claimed
