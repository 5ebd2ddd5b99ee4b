-- Returns one row: the property that the missing deliveries have in common most of all. No row if nothing stands out.
select
    dimension,
    property,
    second_dimension,
    second_property,
    missing,
    all_missing,
    round(100 * owed_share) as owed_percent
from cause
where place = 1
