-- Returns one row for each file that was loaded and is not withdrawn, with its first number.
with

rejected as (

    select
        one.file_id,
        sum(one.records)::bigint as records
    from (
        select
            file_id,
            kind,
            1 as records
        from tieout.rejection
        union all
        select
            file_id,
            kind,
            records
        from tieout.rejection_rest
    ) as one
    where one.kind not in ('file', 'transaction')
    group by one.file_id

)

select distinct on (input_file.sha256, input_file.folder)
    input_file.file_id,
    encode(input_file.sha256, 'hex') as sha256,
    input_file.folder,
    input_file.path,
    input_file.bytes,
    input_file.has_grown,
    tieout.csv_instant(run.started_at) as loaded_at,
    -- It may have been read again, with other settings. The rejections of a file that a rebuild has read are of several
    -- readings, so the rebuild notes what it used. withdraw_unused.sql has the same condition.
    bool_or(
        coalesce(
            input_file.is_used, not input_file.is_unusable and input_file.records > coalesce(rejected.records, 0)
        )
    )
        over (partition by input_file.sha256, input_file.folder)
    as has_records
from tieout.input_file
inner join tieout.run on input_file.run_id = run.run_id
left join rejected on input_file.file_id = rejected.file_id
where
    input_file.sha256 not in (
        select withdrawal.sha256
        from tieout.withdrawal
        where withdrawal.undone_at is null
    )
order by input_file.sha256, input_file.folder, input_file.file_id
