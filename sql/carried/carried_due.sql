-- Returns one row for each transaction and instant at which only the passing of time changes what is judged: the
-- transaction must be judged again when as-of has reached that instant, although no file contains news about it.
--
-- It may return an unnecessary row, but must not leave one out.
with

due as (

    -- Evidence, deliveries and claims that are dated after as-of.
    select
        store_transaction.transaction_id,
        dated.at
    from store_transaction
    cross join night
    cross join unnest(
        array[
            store_transaction.first_purchased_at,
            store_transaction.first_original_purchased_at,
            store_transaction.cancelled_at
        ]
    ) as dated (at)
    where
        (
            store_transaction.first_purchased_at > night.as_of
            or store_transaction.cancelled_at > night.as_of
        )
        and dated.at > night.as_of
    union all
    select
        evidence.transaction_id,
        dated.at
    from store_transaction
    cross join night
    inner join evidence using (environment_code, transaction_number)
    cross join unnest(
        array[evidence.evidence_at, evidence.last_evidence_at, evidence.cancelled_at]
    ) as dated (at)
    where store_transaction.is_refund_questioned and dated.at > night.as_of
    union all
    select
        delivery_record.transaction_id,
        delivery_record.occurred_at
    from delivery_record
    cross join night
    where delivery_record.occurred_at > night.as_of
    union all
    select
        coalesce(client_transaction.transaction_id, client_transaction.original_transaction_id),
        client_transaction.occurred_at
    from client_transaction
    cross join night
    where client_transaction.occurred_at > night.as_of
    union all
    -- missing_delivery: deliveries that are owed and not made yet.
    select
        obligation.transaction_id,
        obligation.due_at
    from obligation
    where obligation.class = 'not_due'
    union all
    -- unfinished_delivery: attempts that may still be delivered.
    -- delivery_without_purchase: deliveries whose purchase may still arrive.
    select
        attempt.transaction_id,
        attempt.grace_ends_at
    from attempt
    cross join night
    left join family using (environment, family_key)
    where
        attempt.is_configured
        and attempt.grace_ends_at > night.as_of
        and (
            attempt.status <> 'delivered'
            or attempt.family_key is null
            or family.refunded_at is not null
        )
    union all
    -- duplicate_restore: surplus restores, at the end of the restore window.
    select
        restored_family.original_transaction_id,
        restored_family.last_restored_at + night.restore_window
    from restored_family
    cross join night
    where
        restored_family.restored_transactions > restored_family.allowed_transactions
        and restored_family.last_restored_at + night.restore_window >= night.as_of
    union all
    -- purchase_without_receipt: purchases on a device whose receipt may still arrive.
    select
        claim.transaction_id,
        claim.occurred_at + coalesce(product.grace, night.grace)
    from claim
    cross join night
    left join product on claim.product_id = product.product_id
    where
        claim.is_configured
        and claim.state = 'purchased'
        and not claim.is_known
        and claim.occurred_at + coalesce(product.grace, night.grace) > night.as_of

)

select distinct
    transaction_id,
    at
from due
where transaction_id is not null
