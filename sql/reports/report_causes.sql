-- Returns causes.csv: one row for each property, or pair of properties, that missing deliveries have more often than
-- owed deliveries, the strongest first.
--
-- The select list is the CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     without totals
-- Rule      none
-- Identity  dimension, value, second_dimension, second_value
-- As-of     none
select
    cause.dimension,
    csv_text(cause.property) as value,
    cause.second_dimension,
    csv_text(cause.second_property) as second_value,
    cause.missing,
    cause.owed,
    round(cause.missing_share, 4) as missing_share,
    round(cause.owed_share, 4) as owed_share,
    round(cause.lift, 2) as lift
from cause
order by cause.place
