-- Returns one row for each family, or whole chain of a subscription, that owes a delivery.
--
-- The column is_delivered says whether the delivery was made. The rule missing_delivery decides whether it is missing,
-- and why.
with

completed as not materialized (

    select
        family.environment,
        family.obligation_key,
        family.family_key,
        hashtextextended(family.obligation_key, 0) as obligation_hash,
        family.subject as family_subject,
        family.disposition,
        family.transaction_id,
        family.original_transaction_id,
        family.product_id,
        family.product_type,
        family.purchased_at,
        family.is_listed,
        family.refunded_at
    from family
    where family.is_configured and family.is_completed

),

-- Most keys have one completed purchase and do not have to be sorted. Keys that share a hash only add a few rows to the
-- sort.
shared_hash as materialized (

    select obligation_hash
    from (
        -- Counting sorted numbers is faster than hashing a million groups.
        select obligation_hash
        from completed
        order by obligation_hash
    ) as hashed
    group by obligation_hash
    having count(*) > 1

),

owed as (

    select
        completed.environment,
        completed.obligation_key,
        completed.family_key,
        completed.family_subject,
        completed.disposition,
        completed.transaction_id,
        completed.original_transaction_id,
        completed.product_id,
        completed.product_type,
        completed.purchased_at,
        completed.is_listed,
        completed.refunded_at is not null as is_refunded
    from completed
    where
        not exists (
            select
            from shared_hash
            where shared_hash.obligation_hash = completed.obligation_hash
        )
    union all
    -- The first completed purchase of a chain represents the chain. A family that owes its own delivery is the only one
    -- with its key.
    (
        select distinct on (
            completed.obligation_hash, completed.environment, completed.obligation_key
        )
            completed.environment,
            completed.obligation_key,
            completed.family_key,
            completed.family_subject,
            completed.disposition,
            completed.transaction_id,
            completed.original_transaction_id,
            completed.product_id,
            completed.product_type,
            completed.purchased_at,
            completed.is_listed,
            bool_and(completed.refunded_at is not null) over (
                -- The same order as in the whole query, so that one sort serves both. Numbers come first because they
                -- are compared faster.
                partition by
                    completed.obligation_hash, completed.environment, completed.obligation_key
                order by
                    completed.purchased_at,
                    length(completed.transaction_id),
                    completed.transaction_id
                rows between unbounded preceding and unbounded following
            )
        from completed
        where exists (
            select
            from shared_hash
            where shared_hash.obligation_hash = completed.obligation_hash
        )
        order by
            completed.obligation_hash,
            completed.environment,
            completed.obligation_key,
            completed.purchased_at,
            length(completed.transaction_id),
            completed.transaction_id
    )

)

select
    owed.environment,
    owed.obligation_key,
    case
        when owed.obligation_key like 'c %' then substr(owed.obligation_key, 3)
        else owed.family_subject
    end as subject,
    owed.transaction_id,
    owed.original_transaction_id,
    owed.product_id,
    owed.product_type,
    product.delivery,
    owed.purchased_at,
    owed.purchased_at + coalesce(product.grace, night.grace) as due_at,
    owed.is_refunded,
    owed.purchased_at < books.begin_at as is_before_books,
    owed.is_delivered,
    -- The family of the purchase.
    owed.family_key
from (
    select
        owed.*,
        exists (
            select
            from attempt
            where
                attempt.environment = owed.environment
                and attempt.obligation_key = owed.obligation_key
                and attempt.product_id = owed.product_id
                and attempt.status = 'delivered'
        ) as is_delivered
    from owed
) as owed
cross join night
cross join books
inner join product on owed.product_id = product.product_id
where
    product.delivery in ('server', 'on_demand')
    and owed.disposition in ('purchase', 'renewal', 'free', 'family_shared')
