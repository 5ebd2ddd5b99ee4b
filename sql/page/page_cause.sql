-- Returns one row: the cause (judge_cause.sql) that stands out most among the missing deliveries. No row if there is
-- no cause.
select
    dimension,
    property,
    second_dimension,
    second_property,
    missing,
    all_missing,
    round(100 * owed_share) as owed_percent,
    cause_days() as days
from cause
where place = 1
