-- Returns one row for each purchase whose content was not delivered in the month of the purchase, and that was not
-- refunded in that month either. So it was owed at the end of a month, or is owed at as-of.
--
-- It has the first day on which its content was delivered or its money was given back. Months and days are those of the
-- setting `time_zone`. Purchases without a price, before the books, and of content that nobody asked for are left out.
with

unserved as materialized (

    select
        obligation.environment,
        obligation.obligation_key,
        obligation.family_key,
        obligation.class
    from obligation
    where
        obligation.class in ('delivered', 'undelivered', 'not_due', 'refunded')
        and not exists (
            select
            from attempt
            where
                attempt.environment = obligation.environment
                and attempt.obligation_key = obligation.obligation_key
                and attempt.product_id = obligation.product_id
                and attempt.status = 'delivered'
                -- A value, not a join, as in carried_revenue.sql.
                and attempt.occurred_at < (
                    date_trunc('month', obligation.purchased_at at time zone (select time_zone from night))
                    + interval '1 month'
                ) at time zone (select time_zone from night)
        )
        and (
            obligation.delivery <> 'on_demand'
            or exists (
                select
                from attempt
                where
                    attempt.environment = obligation.environment
                    and attempt.obligation_key = obligation.obligation_key
            )
        )

),

served as (

    select
        attempt.environment,
        attempt.obligation_key,
        (min(attempt.occurred_at) at time zone (select time_zone from night))::date as served_on
    from attempt
    where
        attempt.status = 'delivered'
        and (attempt.environment, attempt.obligation_key, attempt.product_id) in (
            select
                sale.environment,
                unserved.obligation_key,
                sale.product_id
            from unserved
            inner join sale
                on unserved.environment = sale.environment and unserved.family_key = sale.family_key
        )
    group by attempt.environment, attempt.obligation_key

),

-- A subscription that is delivered once is refunded when all its purchases are.
refunded as (

    select
        unserved.environment,
        unserved.obligation_key,
        (max(family.refunded_at) at time zone (select time_zone from night))::date as refunded_on
    from unserved
    inner join family
        on unserved.environment = family.environment and unserved.obligation_key = family.obligation_key
    where unserved.class = 'refunded' and family.is_completed
    group by unserved.environment, unserved.obligation_key

),

owed as (

    select
        unserved.environment,
        unserved.obligation_key,
        sale.sold_on as purchased_on,
        served.served_on,
        refunded.refunded_on,
        sale.product_id,
        coalesce(sale.currency, '') as currency,
        sale.price_source,
        sale.quantity,
        sale.amount,
        scale(sale.amount) as amount_scale
    from unserved
    inner join sale
        on unserved.environment = sale.environment and unserved.family_key = sale.family_key
    left join refunded
        on
            unserved.environment = refunded.environment
            and unserved.obligation_key = refunded.obligation_key
    left join served
        on
            unserved.environment = served.environment
            and unserved.obligation_key = served.obligation_key
    where sale.disposition in ('purchase', 'renewal')

)

select
    environment,
    obligation_key,
    purchased_on,
    least(served_on, refunded_on) as settled_on,
    coalesce(served_on <= refunded_on, refunded_on is null) as is_served_first,
    product_id,
    currency,
    price_source,
    quantity,
    amount,
    amount_scale
from owed
where
    least(served_on, refunded_on) is null
    or date_trunc('month', least(served_on, refunded_on)) > date_trunc('month', purchased_on)
