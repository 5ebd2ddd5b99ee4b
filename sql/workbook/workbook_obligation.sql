-- Returns the section `obligation` of control_totals.csv, for the first sheet of reconciliation.xlsx.
select
    measure as obligations,
    value as deliveries
from compared
where section = 'obligation'
order by position
