-- Returns one row for each explained transaction: the facts that decide whether its delivery is owed, and the latest
-- attempt to deliver it. Without an attempt, the columns of the attempt are null.
--
-- Takes  explained_name (explain_seed.sql).
-- Gives  the columns of asked; owed_transaction_id: the purchase that is owed the delivery, null if none is;
--        delivery_id, status, occurred_at, server; served_by, other_served_by: deliveries of its product, and of
--        another one
with

asked as (

    -- An obligation counts from the purchase that represents it, a refunded purchase or one without an obligation from
    -- its own date.
    select
        member.environment,
        member.transaction_id,
        member.obligation_key,
        member.product_id,
        member.product_type,
        member.is_configured,
        member.is_listed,
        product.delivery,
        case
            when family.refunded_at is null then coalesce(obligation.purchased_at, member.purchased_at)
            else member.purchased_at
        end as purchased_at,
        case
            when family.refunded_at is null and obligation.due_at is not null then obligation.due_at
            else member.purchased_at + coalesce(product.grace, night.grace)
        end as due_at,
        unheard.obligation_key is not null as is_unheard,
        family.is_completed is not true as is_unowed,
        member.original_transaction_id,
        case when family.refunded_at is null then obligation.transaction_id end as owed_transaction_id
    from explained_name
    cross join night
    inner join member on explained_name.name = member.transaction_id
    left join product on member.product_id = product.product_id
    left join family on member.environment = family.environment and member.family_key = family.family_key
    left join obligation
        on member.environment = obligation.environment and member.obligation_key = obligation.obligation_key
    left join unheard
        on member.environment = unheard.environment and member.obligation_key = unheard.obligation_key
    where not member.is_claimed

),

-- The attempts of each obligation are read once: thousands of restores can be asked about that share thousands of them.
attempted as (

    -- A cluster cannot sort by a composite value at the top of a common table expression.
    select *
    from (
        select
            attempt.environment,
            attempt.obligation_key,
            attempt.product_id,
            attempt.delivery_id,
            attempt.status,
            attempt.occurred_at,
            attempt.server,
            row_number() over (
                partition by attempt.environment, attempt.obligation_key
                order by latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
            ) as latest
        from (select distinct environment, obligation_key from asked) as owed
        inner join attempt
            on owed.environment = attempt.environment
            and owed.obligation_key = attempt.obligation_key
    ) as ranked

),

served as (

    select
        environment,
        obligation_key,
        product_id,
        min(delivery_id) as served_by
    from attempted
    where status = 'delivered'
    group by environment, obligation_key, product_id

),

-- By any product.
served_at_all as (

    select
        environment,
        obligation_key,
        min(served_by) as served_by
    from served
    group by environment, obligation_key

)

select
    asked.*,
    latest.delivery_id,
    latest.status,
    latest.occurred_at,
    latest.server,
    served.served_by,
    served_at_all.served_by as other_served_by
from asked
left join attempted as latest
    on asked.environment = latest.environment
    and asked.obligation_key = latest.obligation_key
    and latest.latest = 1
left join served
    on asked.environment = served.environment
    and asked.obligation_key = served.obligation_key
    and asked.product_id = served.product_id
left join served_at_all
    on asked.environment = served_at_all.environment
    and asked.obligation_key = served_at_all.obligation_key
