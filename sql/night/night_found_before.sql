-- Returns the findings about the affected records in their state before the load: the table `found_before`.
select
    rule,
    environment,
    subject_hash
from found
