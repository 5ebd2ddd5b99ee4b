-- Returns one row for each kind of record that was rejected tonight, with the number of its records.
select
    kind,
    sum(records)::bigint as records
from staging_rejection
group by kind
