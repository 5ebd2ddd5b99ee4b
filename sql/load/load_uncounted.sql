-- Returns the numbers of tonight's delivery records that the night does not count: those that name an environment that
-- is not configured, and those that occurred after as-of.
--
-- Takes  $1: the configured environments (text array); $2: the as-of.
-- Gives  others; environment: one that others name; later
select
    count(*) filter (where environment <> all($1::text [])) as others,
    min(environment) filter (where environment <> all($1::text [])) as environment,
    count(*) filter (where occurred_at > $2::timestamptz) as later
from staging_delivery
