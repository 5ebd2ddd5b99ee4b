-- Returns one row for each run, the newest first.
--
-- Takes  $1: the number of the only run to return; null: all.
--        $2: the maximum number of rows; null: all.
select
    run_id as run,
    csv_instant(as_of) as as_of,
    outcome,
    csv_instant(started_at) as started,
    round(extract(epoch from finished_at - started_at), 1) as seconds,
    started_by || '@' || started_on_host as by,
    program_version as version
from run
where $1::bigint is null or run_id = $1::bigint
order by run_id desc
limit $2::bigint
