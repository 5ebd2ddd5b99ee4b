-- Returns the control totals of a night: the number of transactions by disposition and by trust, the number of
-- purchases and deliveries before the books begin, and the number of obligations by class.
--
-- A delivery that was made before it is due counts from its due date (due_at). All other rows have no due date. So a
-- night does not judge delivered purchases again when they fall due.
--
-- The section `obligation` has the classes of judge_obligation.sql, and `not_listed` and `other_delivery` for the
-- families and chains that owe nothing because of the catalogue. The section `families` checks that these are all
-- families with a completed purchase: judged counts the families behind the classes, and completed counts families.
with

-- The first purchase of a chain decides whether it is before the books begin, as in judge_obligation.sql.
free_of_obligation as (

    select
        case
            when min(family.purchased_at) >= (select begin_at from books) is not true then 'before_books'
            when product.product_id is null then 'not_listed'
            else 'other_delivery'
        end as class,
        count(*) as families
    from family
    left join product on family.product_id = product.product_id
    where
        family.is_configured
        and family.is_completed
        and (product.product_id is null or product.delivery not in ('server', 'on_demand'))
    group by family.environment, family.obligation_key, product.product_id

),

classed as (

    select
        obligation.class,
        case
            when obligation.class = 'delivered' and obligation.due_at > (select as_of from night)
                then obligation.due_at
            else '-infinity'
        end as due_at,
        count(*) as obligations,
        sum(obligation.families) as families
    from obligation
    group by 1, 2
    union all
    select
        class,
        '-infinity',
        count(*),
        sum(families)
    from free_of_obligation
    group by class
    union all
    -- Of the matched purchases, those that stand for their chain have a class. The class is that of
    -- judge_obligation.sql: an undelivered one is before the books or was not asked for.
    select
        case
            when matched.purchased_at >= (select begin_at from books) is not true then 'before_books'
            when matched.delivery not in ('server', 'on_demand') then 'other_delivery'
            when matched.delivered_at is not null then 'delivered'
            else 'on_demand'
        end,
        case
            when
                matched.purchased_at >= (select begin_at from books)
                and matched.delivery in ('server', 'on_demand')
                and matched.delivered_at is not null
                and matched.due_at > (select as_of from night)
                then matched.due_at
            else '-infinity'
        end,
        count(*),
        count(*)
    from matched
    where matched.is_configured and matched.is_completed and not matched.is_served_by_chain
    group by 1, 2

),

-- Each large relation is read once.
transaction_count as materialized (

    select
        disposition,
        trust,
        count(*) as transactions
    from (
        select
            disposition,
            trust
        from member
        union all
        select
            disposition,
            trust
        from matched
    ) as judged
    group by disposition, trust

),

completed_count as materialized (

    select
        count(*) as families,
        count(*) filter (where completed.purchased_at < (select begin_at from books)) as before_books
    from (
        select purchased_at
        from family
        where is_configured and is_completed
        union all
        select purchased_at
        from matched
        where is_configured and is_completed
    ) as completed

),

total as (

    select
        'disposition' as section,
        disposition as measure,
        sum(transactions) as value
    from transaction_count
    group by disposition
    union all
    select
        'known_as',
        trust,
        sum(transactions)
    from transaction_count
    group by trust
    union all
    select
        'books',
        'purchases_before_books_begin',
        before_books
    from completed_count
    where before_books > 0
    union all
    select
        'books',
        'deliveries_before_books_begin',
        count(*)
    from (
        select occurred_at
        from attempt
        where is_configured
        union all
        select delivered_at
        from matched
        where is_configured
    ) as logged
    where logged.occurred_at < (select begin_at from books)
    having count(*) > 0
    union all
    select
        'families',
        'completed',
        families
    from completed_count
    where families > 0
    union all
    select
        'families',
        'judged',
        sum(families)
    from (
        select families
        from classed
        union all
        -- The later purchases of matched chains.
        select count(*)
        from matched
        where is_configured and is_completed and is_served_by_chain
    ) as judged
    having sum(families) > 0

)

select
    section,
    measure,
    '-infinity'::timestamptz as due_at,
    value
from total
union all
select
    'obligation',
    class,
    due_at,
    sum(obligations)
from classed
group by class, due_at
