-- Returns the numbers of tonight's delivery records that the night does not count, probably by mistake: those that name
-- an environment that the App Store does not have, and those that occurred after as-of.
--
-- Takes  $1: the environments that are no mistake (text array); $2: the as-of.
-- Gives  others; environment: one that others name; later
select
    sum(records) filter (where is_other) as others,
    min(environment) filter (where is_other) as environment,
    sum(later) as later
from (
    select
        environment,
        environment <> all($1::text []) as is_other,
        count(*) as records,
        count(*) filter (where occurred_at > $2::timestamptz) as later
    from staging_delivery
    group by environment
) as staged
