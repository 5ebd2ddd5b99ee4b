-- Returns one row: when the books begin.
--
-- The value is null if the setting books_begin is missing and there is no delivery. Then nothing is owed.
select
    coalesce(
        night.books_begin,
        (
            select first_logged_at(log_hour.hour, log_hour.seconds)
            from log_hour
            order by log_hour.hour
            limit 1
        )
    ) as begin_at
from night
