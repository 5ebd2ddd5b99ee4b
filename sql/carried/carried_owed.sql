-- Returns one row for each purchase whose content was owed at the end of a month, or is owed at as-of: it was neither
-- delivered nor refunded in the month in which it began to be owed.
--
-- It has the day from which its content was owed, and the first day on which its content was delivered or its money was
-- given back. The content of a subscription that is delivered once is owed for its first purchase. If that is refunded,
-- it is owed for the next one from then on. Content that is fetched on demand is owed from the first attempt on. Months
-- and days are those of the setting `time_zone`. Left out are free purchases, purchases before the books, and
-- content that nobody asked for.
with

-- Of content that is fetched on demand.
first_attempt as (

    select
        attempt.environment,
        attempt.obligation_key,
        (min(attempt.occurred_at) at time zone (select time_zone from night))::date as asked_on
    from attempt
    inner join obligation
        on attempt.environment = obligation.environment and attempt.obligation_key = obligation.obligation_key
    where obligation.delivery = 'on_demand'
    group by attempt.environment, attempt.obligation_key

),

asked as not materialized (

    select
        obligation.environment,
        obligation.obligation_key,
        obligation.family_key,
        obligation.purchased_at,
        obligation.product_id,
        first_attempt.asked_on
    from obligation
    left join first_attempt
        on
            obligation.environment = first_attempt.environment
            and obligation.obligation_key = first_attempt.obligation_key
    where
        obligation.class in ('delivered', 'undelivered', 'not_due', 'refunded')
        and (obligation.delivery <> 'on_demand' or first_attempt.asked_on is not null)

),

-- Few purchases are refunded.
refunded as materialized (

    select distinct
        environment,
        obligation_key
    from family
    where refunded_at is not null and is_completed

),

-- The purchases of a chain with a refund, each with the refunds of those before it.
turn as (

    select
        family.environment,
        family.obligation_key,
        family.family_key,
        family.purchased_at,
        (family.purchased_at at time zone (select time_zone from night))::date as purchased_on,
        family.refunded_at,
        coalesce(bool_and(family.refunded_at is not null) over earlier, true) as is_reached,
        (max(family.refunded_at) over earlier at time zone (select time_zone from night))::date as reached_on
    from family
    inner join refunded
        on family.environment = refunded.environment and family.obligation_key = refunded.obligation_key
    where family.is_completed
    window earlier as (
        partition by family.environment, family.obligation_key
        order by family.purchased_at, identifier_order(family.transaction_id)
        rows between unbounded preceding and 1 preceding
    )

),

unserved as materialized (

    select
        asked.environment,
        asked.obligation_key,
        asked.family_key,
        greatest((asked.purchased_at at time zone (select time_zone from night))::date, asked.asked_on)
            as owed_from,
        null::timestamptz as refunded_at
    from asked
    where
        (asked.environment, asked.obligation_key) not in (select environment, obligation_key from refunded)
        and not exists (
            select
            from attempt
            where
                attempt.environment = asked.environment
                and attempt.obligation_key = asked.obligation_key
                and attempt.product_id = asked.product_id
                and attempt.status = 'delivered'
                -- A value, not a join, as in carried_revenue.sql.
                and attempt.occurred_at < (
                    date_trunc('month', asked.purchased_at at time zone (select time_zone from night))
                    + interval '1 month'
                ) at time zone (select time_zone from night)
        )
    union all
    select
        turn.environment,
        turn.obligation_key,
        turn.family_key,
        greatest(turn.purchased_on, turn.reached_on, asked.asked_on),
        turn.refunded_at
    from turn
    inner join asked on turn.environment = asked.environment and turn.obligation_key = asked.obligation_key
    cross join books
    where turn.is_reached and turn.purchased_at >= books.begin_at

),

served as materialized (

    select
        attempt.environment,
        attempt.obligation_key,
        min(attempt.occurred_at) as served_at
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

owed as (

    select
        unserved.environment,
        unserved.obligation_key,
        unserved.family_key,
        sale.sold_on as purchased_on,
        unserved.owed_from,
        (least(served.served_at, unserved.refunded_at) at time zone (select time_zone from night))::date
            as settled_on,
        coalesce(served.served_at <= unserved.refunded_at, unserved.refunded_at is null) as is_served_first,
        sale.product_id,
        coalesce(sale.currency, '') as currency,
        sale.price_source,
        sale.quantity,
        sale.amount,
        scale(sale.amount) as amount_scale
    from unserved
    inner join sale
        on unserved.environment = sale.environment and unserved.family_key = sale.family_key
    left join served
        on
            unserved.environment = served.environment
            and unserved.obligation_key = served.obligation_key
    -- A trial can have an amount of its own.
    where sale.disposition in ('purchase', 'renewal') or sale.amount > 0

)

select
    environment,
    obligation_key,
    family_key,
    purchased_on,
    owed_from,
    settled_on,
    is_served_first,
    product_id,
    currency,
    price_source,
    quantity,
    amount,
    amount_scale
from owed
where
    settled_on is null
    or date_trunc('month', settled_on) > date_trunc('month', owed_from)
