-- Returns one row: when the books begin.
--
-- The value is null if the setting books_begin is missing and there is no delivery. Then nothing is owed.
select
    coalesce(night.books_begin, (select min(log_instant.occurred_at) from log_instant)) as begin_at
from night
