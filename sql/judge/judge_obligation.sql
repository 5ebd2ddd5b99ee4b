-- Returns one row for each family, or whole chain of a subscription, of a listed product that our servers deliver, with
-- what became of its delivery.
--
-- The column class says this at as-of: before_books, refunded, delivered (early, in time or late), not_due, on_demand
-- (nobody asked for it) or undelivered. judge_undelivered.sql says why, and the rule missing_delivery makes the
-- findings. The column families is the number of completed purchases for which the row stands.
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
        completed.refunded_at is not null as is_refunded,
        1 as families
    from completed
    where
        not exists (
            select
            from shared_hash
            where shared_hash.obligation_hash = completed.obligation_hash
        )
    union all
    -- One of the completed purchases of a chain represents it. A family that owes its own delivery is the only one with
    -- its key.
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
            bool_and(completed.refunded_at is not null) over chain,
            count(*) over chain
        from completed
        where exists (
            select
            from shared_hash
            where shared_hash.obligation_hash = completed.obligation_hash
        )
        -- Numbers come first because they are compared faster.
        window chain as (partition by completed.obligation_hash, completed.environment, completed.obligation_key)
        order by
            completed.obligation_hash,
            completed.environment,
            completed.obligation_key,
            representative_first(completed.refunded_at, completed.purchased_at, completed.transaction_id)
    )

),

-- The products that were delivered for each purchase that had an attempt. They are joined: if the attempts do not fit
-- into memory, a join uses the disk, but a subquery would read all attempts for each purchase.
attempted as (

    select
        environment,
        obligation_key,
        array_agg(product_id) filter (where status = 'delivered') as delivered_product_ids
    from attempt
    where obligation_key is not null
    group by environment, obligation_key

),

dated as (

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
        coalesce(owed.product_id = any(attempted.delivered_product_ids), false) as is_delivered,
        attempted.obligation_key is not null as is_attempted,
        owed.families,
        owed.family_key,
        night.as_of
    from owed
    cross join night
    cross join books
    inner join product on owed.product_id = product.product_id
    left join attempted
        on owed.environment = attempted.environment and owed.obligation_key = attempted.obligation_key
    where
        is_our_delivery(product.delivery)
        -- Without coalesce, the planner expects almost no purchase, and compares each with every attempt.
        and coalesce(owed.disposition in ('purchase', 'renewal', 'free', 'family_shared'), false)

)

select
    dated.environment,
    dated.obligation_key,
    dated.subject,
    dated.transaction_id,
    dated.original_transaction_id,
    dated.product_id,
    dated.product_type,
    dated.delivery,
    dated.purchased_at,
    dated.due_at,
    dated.is_refunded,
    dated.families,
    -- The family of the purchase.
    dated.family_key,
    case
        -- Null: the books never begin.
        when dated.is_before_books is not false then 'before_books'
        when dated.is_refunded then 'refunded'
        when dated.is_delivered then 'delivered'
        when dated.due_at > dated.as_of then 'not_due'
        when dated.delivery = 'on_demand' and not dated.is_attempted then 'on_demand'
        else 'undelivered'
    end as class
from dated
