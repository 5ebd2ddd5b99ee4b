-- Returns the control totals of a night: the number of transactions by disposition and by trust, and the number of
-- purchases and deliveries before the books begin.
select
    'disposition' as section,
    disposition as measure,
    count(*) as value
from member
group by disposition
union all
select
    'known_as',
    trust,
    count(*)
from member
group by trust
union all
select
    'books',
    'purchases_before_books_begin',
    count(*)
from family
cross join books
where
    family.is_configured
    and family.is_completed
    and family.purchased_at < books.begin_at
having count(*) > 0
union all
select
    'books',
    'deliveries_before_books_begin',
    count(*)
from attempt
cross join books
where attempt.is_configured and attempt.occurred_at < books.begin_at
having count(*) > 0
