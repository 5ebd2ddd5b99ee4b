-- Returns one row for each number that says how much of the night was compared.
select
    section,
    measure,
    value
from compared
union all
select
    section,
    measure,
    value
from carried_total
where section = 'disposition' and measure = 'other_environment'
