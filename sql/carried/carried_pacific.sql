-- Returns the number of units by the day in the books' time zone and the day in California, by which Apple counts.
--
-- The function pacific_entry says which units these are. Entries are of one quantity and one amount each, so their sums
-- are exact.
select
    day,
    pacific_day,
    entry,
    product_id,
    country,
    currency,
    price_source,
    quantity,
    amount,
    count(*) as entries
from pacific_entry()
group by day, pacific_day, entry, product_id, country, currency, price_source, quantity, amount
