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

attempted as (

    -- A cluster cannot sort by a composite value at the top of a common table expression.
    select *
    from (
        select
            asked.environment,
            asked.transaction_id,
            attempt.delivery_id,
            attempt.status,
            attempt.occurred_at,
            attempt.server,
            min(attempt.delivery_id) filter (
                where attempt.status = 'delivered' and attempt.product_id = asked.product_id
            ) over all_of as served_by,
            min(attempt.delivery_id) filter (where attempt.status = 'delivered') over all_of as other_served_by,
            row_number() over (
                partition by asked.environment, asked.transaction_id
                order by latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
            ) as latest
        from asked
        inner join attempt
            on asked.environment = attempt.environment
            and asked.obligation_key = attempt.obligation_key
        window all_of as (partition by asked.environment, asked.transaction_id)
    ) as ranked

)

select
    asked.*,
    latest.delivery_id,
    latest.status,
    latest.occurred_at,
    latest.server,
    latest.served_by,
    latest.other_served_by
from asked
left join attempted as latest
    on asked.environment = latest.environment
    and asked.transaction_id = latest.transaction_id
    and latest.latest = 1
