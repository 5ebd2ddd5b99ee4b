-- Returns one row: the number of a run's rejections that are stored, or counted by file and reason.
--
-- Takes  $1: the number of the run.
--        $2: the only kind of record to count; null: all.
select
    (
        select count(*)
        from rejection
        where run_id = $1::bigint and ($2::text is null or kind = $2::text)
    )
    + (
        select coalesce(sum(records), 0)::bigint
        from rejection_rest
        where run_id = $1::bigint and ($2::text is null or kind = $2::text)
    ) as records
