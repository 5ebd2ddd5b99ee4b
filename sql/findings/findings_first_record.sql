-- Selects the record that can be the cause of each resolved finding. Only the first cause counts, so others are left
-- out.
--
-- The records of a thing are ordered once, although many findings can be about it: first those of a purchase, then
-- those of a name with several purchases.
--
-- Takes  resolving_record (findings_records.sql and the files after it); resolved_thing,
--        resolved_about, resolved_part (findings_things.sql)
-- Leaves behind  first_record: finding_id, cause, name, record, file_id, line; of each thing that the finding is about
--                the first record, and the first one of its own name.
create temporary table first_record on commit drop as
with

candidate as (

    select
        resolving_record.about_id,
        case resolving_record.kind
            when 'evidence' then 'evidence_arrived'
            when 'delivery' then 'log_arrived'
            when 'client' then 'app_reported'
            when 'report' then 'report_arrived'
            else 'feed_resumed'
        end as cause,
        resolving_record.name,
        case resolving_record.kind
            when 'evidence' then 'transaction'
            when 'client' then 'app log of'
            else resolving_record.kind
        end || ' ' || resolving_record.name as record,
        resolving_record.file_id,
        resolving_record.line,
        input_file.path
    from resolving_record
    left join input_file using (file_id)

),

ordered as materialized (

    select
        candidate.*,
        row_number() over in_order as place,
        row_number() over own_first as own_place
    from candidate
    left join (select about_id, name from resolved_thing where kind = 'name') as about using (about_id)
    window
        in_order as (partition by about_id order by candidate.cause, candidate.path, candidate.line, candidate.record),
        own_first as (
            partition by about_id
            order by
                (candidate.name is not distinct from about.name) desc,
                candidate.cause,
                candidate.path,
                candidate.line,
                candidate.record
        )

),

first as (

    select about_id, cause, name, record, file_id, line
    from ordered
    where place = 1 or own_place = 1
    union all
    (
        select distinct on (resolved_part.about_id)
            resolved_part.about_id,
            ordered.cause,
            ordered.name,
            ordered.record,
            ordered.file_id,
            ordered.line
        from resolved_part
        inner join ordered on resolved_part.part_id = ordered.about_id
        where ordered.place = 1
        order by resolved_part.about_id, ordered.cause, ordered.path, ordered.line, ordered.record
    )

)

select
    resolved_about.finding_id,
    first.cause,
    first.name,
    first.record,
    first.file_id,
    first.line
from first
inner join resolved_about using (about_id)
