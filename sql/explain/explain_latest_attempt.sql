-- Returns one row for each explained transaction: the facts that decide whether its delivery is owed, and the latest
-- attempt to deliver it. Without an attempt, the columns of the attempt are null.
--
-- A transaction that no evidence contains has the facts of the family of its restores, if an app reports it as a
-- restore or if restores name it as their original. One that only a delivery names has the facts of the family that the
-- delivery belongs to.
--
-- Takes  explained_name (explain_seed.sql).
-- Gives  the columns of asked; known_by: evidence, claim, restore or delivery; named_by: the delivery that names it,
--        and named_for: the transaction of its family, null unless known_by is delivery; owed_transaction_id: the
--        purchase that is owed the delivery, null if none is; delivery_id, status, occurred_at, server
with

-- The newest delivery that names a transaction without evidence.
naming_delivery as (

    select distinct on (explained_name.name, attempt.environment)
        explained_name.name,
        attempt.environment,
        attempt.family_key,
        attempt.delivery_id
    from explained_name
    inner join attempt on explained_name.name = attempt.transaction_id
    where
        attempt.family_key is not null
        and not exists (
            select
            from member
            where member.transaction_id = explained_name.name
        )
        -- Bought after as-of.
        and not exists (
            select
            from store_transaction as later
            where later.transaction_id = explained_name.name
        )
    order by explained_name.name, attempt.environment, attempt.occurred_at desc, attempt.delivery_id

),

named as (

    select distinct on (candidate.name, candidate.environment)
        candidate.name,
        candidate.known_by,
        candidate.named_by,
        candidate.environment,
        candidate.transaction_id,
        candidate.original_transaction_id,
        candidate.obligation_key,
        candidate.family_key,
        candidate.product_id,
        candidate.product_type,
        candidate.is_configured,
        candidate.is_listed,
        candidate.purchased_at
    from (
        select
            explained_name.name,
            case when member.is_claimed then 2 else 1 end as known_place,
            case when member.is_claimed then 'claim' else 'evidence' end as known_by,
            null as named_by,
            member.*
        from explained_name
        inner join member on explained_name.name = member.transaction_id
        union all
        select
            explained_name.name,
            3,
            'restore',
            null,
            member.*
        from explained_name
        inner join member on explained_name.name = member.original_transaction_id
        inner join family using (environment, family_key)
        where family.is_completed is not true
        union all
        select
            naming_delivery.name,
            4,
            'delivery',
            naming_delivery.delivery_id,
            member.*
        from naming_delivery
        inner join family using (environment, family_key)
        inner join member
            on naming_delivery.environment = member.environment
            and naming_delivery.family_key = member.family_key
            and family.transaction_id = member.transaction_id
    ) as candidate
    order by
        candidate.name,
        candidate.environment,
        candidate.known_place,
        candidate.purchased_at,
        candidate.transaction_id

),

asked as (

    -- An obligation counts from the purchase that represents it, a refunded purchase or one without an obligation from
    -- its own date.
    select
        named.environment,
        named.name as transaction_id,
        named.known_by,
        named.named_by,
        case when named.known_by = 'delivery' then named.transaction_id end as named_for,
        named.obligation_key,
        named.product_id,
        named.product_type,
        named.is_configured,
        named.is_listed,
        product.delivery,
        case
            when family.refunded_at is null then coalesce(obligation.purchased_at, named.purchased_at)
            else named.purchased_at
        end as purchased_at,
        case
            when family.refunded_at is null and obligation.due_at is not null then obligation.due_at
            else named.purchased_at + coalesce(product.grace, night.grace)
        end as due_at,
        unheard.obligation_key is not null as is_unheard,
        family.is_completed is not true as is_unowed,
        named.original_transaction_id,
        case when family.refunded_at is null then obligation.transaction_id end as owed_transaction_id
    from named
    cross join night
    left join product on named.product_id = product.product_id
    left join family on named.environment = family.environment and named.family_key = family.family_key
    left join obligation
        on named.environment = obligation.environment and named.obligation_key = obligation.obligation_key
    left join unheard
        on named.environment = unheard.environment and named.obligation_key = unheard.obligation_key

),

-- The attempts of each obligation are read once: thousands of restores can be asked about that share thousands of them.
attempted as (

    -- A cluster cannot sort by a composite value at the top of a common table expression.
    select *
    from (
        select
            attempt.environment,
            attempt.obligation_key,
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

)

select
    asked.*,
    latest.delivery_id,
    latest.status,
    latest.occurred_at,
    latest.server
from asked
left join attempted as latest
    on asked.environment = latest.environment
    and asked.obligation_key = latest.obligation_key
    and latest.latest = 1
