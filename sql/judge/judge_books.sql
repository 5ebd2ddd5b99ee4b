-- When the books begin: one row. Empty where there is no delivery at all: then nothing is owed.
select
    coalesce(
        night.books_begin,
        (select min(attempt.occurred_at) from attempt where attempt.is_configured)
    ) as begin_at
from night
