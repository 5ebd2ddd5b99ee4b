-- Returns one row: the first and the last day of a period. No row if the last day comes before the first.
--
-- Takes  $1 and $2: the days, YYYY-MM-DD. If $2 is null, the period is the month that begins with $1.
--        $3 and $4: instead of these, the days counted since 1970-01-01.
with

given as (

    select
        coalesce($1::date, date '1970-01-01' + $3::integer) as first_day,
        coalesce(
            $2::date, date '1970-01-01' + $4::integer, ($1::date + interval '1 month')::date - 1
        ) as last_day

)

select
    to_char(first_day, 'YYYY-MM-DD') as first_day,
    to_char(last_day, 'YYYY-MM-DD') as last_day
from given
where first_day <= last_day
