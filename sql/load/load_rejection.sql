-- Inserts tonight's rejections: records, documents and files that could not be used. The path is the one below the
-- inbox.
--
-- It runs twice. The second run is for acknowledgements, whose rejections are known only after the findings are updated
-- (setting tieout.acknowledgements).
--
-- A run keeps at most rejections_kept rejections. It chooses them in rounds: the first rejection of each file and
-- reason, then the second of each, and so on. So the choice depends neither on the order of files nor on the connection
-- that read them, and one bad file cannot crowd out another. The order in a file is that of the places, by which the
-- reader counts too: one line can have many rejections. Of each file and reason, the first ones keep their detail and
-- excerpt (whole_rejections). Of each reason, as many of all files keep the record itself. All others are counted by
-- file and reason.
--
-- Takes  tonight_file (load_start.sql), night, and the staged rejections
drop table if exists rejection_room;

-- The number of rejections that the run may still keep.
create temporary table rejection_room on commit drop as
select
    (run.settings ->> 'rejections_kept')::bigint
    - (select count(*) from rejection where rejection.run_id = run.run_id) as rejections
from night
inner join run on night.run_id = run.run_id;

with

candidate as (

    select
        tonight_file.run_id,
        input_file.file_id,
        tonight_file.path,
        staging_rejection.line,
        staging_rejection.kind,
        staging_rejection.reason,
        staging_rejection.detail,
        staging_rejection.excerpt,
        staging_rejection.raw,
        staging_rejection.raw_bytes,
        staging_rejection.place,
        staging_rejection.records,
        case
            when staging_rejection.place is not null
                then row_number() over (
                    partition by
                        staging_rejection.file_id,
                        staging_rejection.kind,
                        staging_rejection.reason,
                        staging_rejection.place is null
                    order by staging_rejection.place
                )
        end as round
    from staging_rejection
    inner join tonight_file on staging_rejection.file_id = tonight_file.file_id
    left join input_file on staging_rejection.file_id = input_file.file_id
    where
        (staging_rejection.kind = 'acknowledgement')
        = (current_setting('tieout.acknowledgements', true) is not distinct from 'true')

),

ranked as (

    select
        candidate.*,
        row_number() over (order by round, path, kind, reason) <= rejection_room.rejections as is_kept,
        row_number() over (partition by kind, reason order by round, path) <= whole_rejections() as has_record
    from candidate
    cross join rejection_room

),

kept as (

    insert into rejection (
        run_id, file_id, path, line, kind, reason, detail, excerpt, raw, raw_bytes
    )
    select
        run_id,
        file_id,
        path,
        line,
        kind,
        reason,
        case when round <= whole_rejections() then detail else '' end,
        case when round <= whole_rejections() then excerpt else '' end,
        case when round <= whole_rejections() and has_record then raw end,
        raw_bytes
    from ranked
    where round is not null and is_kept
    order by path, line nulls first, kind, place

)

insert into rejection_rest (run_id, file_id, path, kind, reason, records)
select
    run_id,
    file_id,
    path,
    kind,
    reason,
    sum(records)
from ranked
where round is null or not is_kept
group by run_id, file_id, path, kind, reason
order by path, kind, reason
