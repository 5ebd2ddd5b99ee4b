-- Returns one row: the version of the cluster's software, and the number of its active workers.
select
    substring(citus_version() from '^Citus [0-9.]+') as version,
    count(*) filter (where isactive and noderole = 'primary' and shouldhaveshards) as workers
from pg_dist_node
