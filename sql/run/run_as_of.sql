-- Returns one row for a run that begins: its as-of, its as-of day, and whether it is a run of a past day.
--
-- Reports also show the days and months around the as-of day, and a year has four digits. There is no row if they
-- cannot show the day.
--
-- Takes  $1: the as-of; null: now.
--        $2: the time zone.
with

given as (

    -- Cut to whole seconds, like all instants that it is compared with.
    select date_trunc('second', coalesce($1::timestamptz, clock_timestamp())) as as_of

)

select
    tieout.csv_instant(given.as_of) as as_of,
    to_char(given.as_of at time zone $2, 'YYYY-MM-DD') as as_of_on,
    given.as_of < (
        select max(run.as_of)
        from tieout.run
        where run.outcome = 'done' and not run.is_of_past_day
    ) is true as is_of_past_day
from given
where (given.as_of at time zone $2)::date between date '0002-01-01' and date '9998-12-31'
