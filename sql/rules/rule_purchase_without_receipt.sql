-- Returns one finding for each purchase that an app reported and whose receipt never reached the server.
--
-- Finds      purchases that an app's payment queue reports, after their grace period, if no evidence contains the
--            transaction, or has it as an original, or contains one of the same original, product and second: the id on
--            the device can differ from the receipt's.
-- Leaves out restores, and entries that failed or were deferred.
--
-- Levels     warning
-- Judges     purchases
-- Exception  match_exception.sql
-- Time       carried_due.sql
-- Reads      claim, member, night, product
-- Gives      level, environment, reason, detail
-- Key        transaction_id
-- Resolved   records, catalogue
-- Sentence   Only an app reports it
-- Otherwise  explain_verdict.sql
with

purchase as (

    select
        claim.environment,
        claim.transaction_id,
        coalesce(claim.original_transaction_id, claim.transaction_id) as original_transaction_id,
        claim.product_id,
        claim.occurred_at,
        claim.device_id,
        claim.app_version,
        claim.is_known
    from claim
    where claim.is_configured and claim.state = 'purchased'

),

-- Several entries can report one transaction. Evidence of one of them is evidence of the transaction.
evidenced as (

    select environment, transaction_id
    from purchase
    where is_known
    union
    -- EXISTS instead of a join: thousands of transactions can share an original.
    select environment, transaction_id
    from purchase
    where exists (
        select
        from member
        where
            not member.is_claimed
            and member.environment = purchase.environment
            and member.original_transaction_id = purchase.transaction_id
    )
    union
    select environment, transaction_id
    from purchase
    where exists (
        select
        from member
        where
            not member.is_claimed
            and member.environment = purchase.environment
            and member.original_transaction_id = purchase.original_transaction_id
            and member.product_id = purchase.product_id
            and member.purchased_at = purchase.occurred_at
    )

),

-- The first entry after its grace period represents its transaction.
unknown as (

    select distinct on (purchase.environment, purchase.transaction_id)
        purchase.*
    from purchase
    cross join night
    left join product on purchase.product_id = product.product_id
    left join evidenced
        on purchase.environment = evidenced.environment
        and purchase.transaction_id = evidenced.transaction_id
    where
        evidenced.transaction_id is null
        and purchase.occurred_at + coalesce(product.grace, night.grace) <= night.as_of
    order by
        purchase.environment,
        purchase.transaction_id,
        purchase.occurred_at,
        purchase.product_id,
        purchase.device_id nulls last,
        purchase.app_version nulls last

)

select
    'warning' as level,
    environment,
    transaction_id,
    null as reason,
    format(
        '%s, bought %s on %s, app version %s',
        product_id,
        csv_instant(occurred_at),
        coalesce('device ' || device_id, 'no named device'),
        coalesce(app_version, 'unknown')
    ) as detail
from unknown
