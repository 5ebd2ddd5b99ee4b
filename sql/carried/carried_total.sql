-- Returns the control totals of a night: the number of transactions by disposition and by trust, the number of
-- purchases and deliveries before the books begin, and the number of obligations by class.
--
-- A delivery that was made before it is due counts from its due date (due_at). All other rows have no due date. So a
-- night does not judge delivered purchases again when they fall due.
--
-- The section `obligation` has the classes of judge_obligation.sql, and `not_listed` and `other_delivery` for the
-- families and chains that owe nothing because of the catalogue. The section `families` is a check:
-- `completed` is the number of families with a completed purchase, `judged` the number of families that the classes
-- stand for. Both must be equal (night_balance.sql).
with

-- Of the matched purchases, those that stand for their chain have a class. The class is that of judge_obligation.sql:
-- an undelivered one is before the books or was not asked for.
matched_class as (

    select
        matched.disposition,
        matched.trust,
        matched.is_configured and matched.is_completed as is_completed,
        matched.is_served_by_chain,
        matched.due_at,
        matched.purchased_at < books.begin_at as is_before_books,
        matched.is_configured and matched.delivered_at < books.begin_at as is_delivered_before_books,
        case
            when matched.is_served_by_chain or not (matched.is_configured and matched.is_completed) then null
            when matched.purchased_at >= books.begin_at is not true then 'before_books'
            when not is_our_delivery(matched.delivery) then 'other_delivery'
            when matched.delivered_at is not null then 'delivered'
            else 'on_demand'
        end as class
    from matched
    cross join books

),

-- The matched purchases are read once, here.
matched_count as materialized (

    select
        disposition,
        trust,
        is_completed,
        is_served_by_chain,
        is_before_books,
        is_delivered_before_books,
        class,
        case
            when class = 'delivered' and due_at > (select as_of from night) then due_at
            else '-infinity'
        end as due_at,
        count(*) as transactions
    from matched_class
    group by 1, 2, 3, 4, 5, 6, 7, 8

),

-- The purchase that represents a chain decides whether it is before the books begin, as in judge_obligation.sql.
free_of_obligation as (

    select
        case
            when
                coalesce(
                    min(family.purchased_at) filter (where family.refunded_at is null),
                    max(family.purchased_at)
                ) >= (select begin_at from books) is not true
                then 'before_books'
            when product.product_id is null then 'not_listed'
            else 'other_delivery'
        end as class,
        count(*) as families
    from family
    left join product on family.product_id = product.product_id
    where
        family.is_configured
        and family.is_completed
        and (product.product_id is null or not is_our_delivery(product.delivery))
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
    select class, '-infinity', count(*), sum(families)
    from free_of_obligation
    group by class
    union all
    select class, due_at, sum(transactions), sum(transactions)
    from matched_count
    where class is not null
    group by class, due_at

),

transaction_count as materialized (

    select
        disposition,
        trust,
        sum(transactions) as transactions
    from (
        select disposition, trust, count(*) as transactions
        from member
        group by disposition, trust
        union all
        select disposition, trust, transactions
        from matched_count
    ) as judged
    group by disposition, trust

),

completed_count as materialized (

    select
        coalesce(sum(families), 0) as families,
        coalesce(sum(families) filter (where is_before_books), 0) as before_books
    from (
        select purchased_at < (select begin_at from books) as is_before_books, count(*) as families
        from family
        where is_configured and is_completed
        group by 1
        union all
        select is_before_books, transactions
        from matched_count
        where is_completed
    ) as completed

),

total as (

    select 'disposition' as section, disposition as measure, sum(transactions) as value
    from transaction_count
    group by disposition
    union all
    select 'known_as', trust, sum(transactions)
    from transaction_count
    group by trust
    union all
    select 'books', 'purchases_before_books_begin', before_books
    from completed_count
    where before_books > 0
    union all
    select 'books', 'deliveries_before_books_begin', sum(deliveries)
    from (
        select count(*) as deliveries
        from attempt
        where is_configured and occurred_at < (select begin_at from books)
        union all
        select sum(transactions)
        from matched_count
        where is_delivered_before_books
    ) as logged
    having sum(deliveries) > 0
    union all
    select 'families', 'completed', families
    from completed_count
    where families > 0
    union all
    select 'families', 'judged', sum(families)
    from (
        select families
        from classed
        union all
        -- The later purchases of matched chains.
        select sum(transactions)
        from matched_count
        where is_completed and is_served_by_chain
    ) as judged
    having sum(families) > 0

)

select section, measure, '-infinity'::timestamptz as due_at, value
from total
union all
select 'obligation', class, due_at, sum(obligations)
from classed
group by class, due_at
