-- What is owed: one row for each family, or whole chain of a subscription, that must be delivered.
--
-- is_missing is the verdict of the rule missing_delivery; its reason is found there.
with

owed as (

    -- The first completed purchase of a chain stands for it. A family that owes by itself is the only
    -- one of its key.
    select distinct on (family.environment, family.obligation_key)
        family.environment,
        family.obligation_key,
        family.subject as family_subject,
        family.disposition,
        family.transaction_id,
        family.original_transaction_id,
        family.product_id,
        family.purchased_at,
        family.is_listed,
        bool_and(family.refunded_at is not null) over (
            partition by family.environment, family.obligation_key
        ) as is_refunded
    from family
    where family.is_configured and family.is_completed
    order by
        family.environment,
        family.obligation_key,
        family.purchased_at,
        length(family.transaction_id),
        family.transaction_id

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
    product.delivery,
    owed.purchased_at,
    owed.purchased_at + coalesce(product.grace, night.grace) as due_at,
    owed.is_refunded,
    owed.purchased_at < books.begin_at as is_before_books,
    owed.is_delivered
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
