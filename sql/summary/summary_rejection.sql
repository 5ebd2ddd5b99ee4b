-- Returns the most frequent reasons of a run's rejections, each with the location of one of them.
--
-- Rejections that were only counted are included. The location is that of a stored rejection, if there is one.
--
-- Takes  $1: the run_id; $2: the maximum number of reasons
-- Gives  reason, records, location: the path, and the line if there is one; reasons: the number of all reasons
select
    reason,
    sum(records) as records,
    (array_agg(path || coalesce(':' || line, '') order by is_rest, path, line nulls first))[1] as location,
    count(*) over () as reasons
from (
    select run_id, reason, path, line, 1 as records, false as is_rest
    from rejection
    union all
    select run_id, reason, path, null, records, true
    from rejection_rest
) as rejected
where run_id = $1::bigint and records > 0
group by reason
order by
    sum(records) desc,
    reason
limit $2::integer
