-- When the books begin: one row. Empty where there is no delivery at all: then nothing is owed.
select
    coalesce(night.books_begin, (select min(log_instant.occurred_at) from log_instant)) as begin_at
from night
