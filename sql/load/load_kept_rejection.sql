-- Returns one row: how many of a run's rejections are stored, and how many were only counted, by file and reason.
--
-- Takes  $1: the number of the run.
--        $2: the only kind of record to count; null: all.
-- Gives  stored, counted
select
    (
        select count(*)
        from rejection
        where run_id = $1::bigint and ($2::text is null or kind = $2::text)
    ) as stored,
    (
        select coalesce(sum(records), 0)::bigint
        from rejection_rest
        where run_id = $1::bigint and ($2::text is null or kind = $2::text)
    ) as counted
