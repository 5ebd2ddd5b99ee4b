-- Removes the records of open lines whose files have grown. An open line is a last line without a line end.
--
-- The longer file contains the whole line, and the record of that line is among tonight's rows.
--
-- Takes  grown_file: the files as they were before.

create temporary table taken_back on commit drop as
with

-- A file that was read again because a setting has changed has several ids.
grown as (

    select distinct one.file_id
    from grown_file
    inner join input_file as other on grown_file.file_id = other.file_id
    inner join input_file as one on other.sha256 = one.sha256 and other.folder = one.folder

),

marked as (

    update input_file
    set has_grown = true
    from grown
    where input_file.file_id = grown.file_id

),

gone as (

    delete from open_record using grown
    where open_record.file_id = grown.file_id
    returning open_record.kind, open_record.delivery_id, open_record.content_hash

)

select distinct
    gone.kind,
    gone.delivery_id,
    gone.content_hash
from gone
-- The open line of another file may still contain the same record.
where not exists (
    select
    from open_record as other
    where
        other.content_hash = gone.content_hash
        and other.kind = gone.kind
        and other.file_id not in (select grown.file_id from grown)
);

select take_back(kind, delivery_id, content_hash)
from taken_back
where kind <> 'acknowledgement';

-- findings_file_acknowledgement.sql loads acknowledgements, later. An acknowledgement that the longer file also
-- contains stays.
delete from taken_back using staging_acknowledgement
where
    taken_back.kind = 'acknowledgement'
    and staging_acknowledgement.content_hash = taken_back.content_hash;

-- Locks the finding before its acknowledgement, in the same order as every other SQL statement.
update finding
set status = 'reopened'
from acknowledgement, taken_back
where
    finding.finding_id = acknowledgement.finding_id
    and finding.status = 'acknowledged'
    and acknowledgement.ended_because is null
    and taken_back.kind = 'acknowledgement'
    and acknowledgement.content_hash = taken_back.content_hash;

update acknowledgement
set
    ended_because = 'reopened',
    ended_note = 'Its line had no line end, and its content changed when the file grew.',
    ended_at = clock_timestamp(),
    ended_run_id = (select night.run_id from night)
from taken_back
where
    acknowledgement.ended_because is null
    and taken_back.kind = 'acknowledgement'
    and acknowledgement.content_hash = taken_back.content_hash;

update acknowledgement
set content_hash = null
from taken_back
where
    taken_back.kind = 'acknowledgement'
    and acknowledgement.content_hash = taken_back.content_hash;

-- The carried relations do not follow a run of a past day: the next night judges everything.
delete from judged
using night
inner join run on night.run_id = run.run_id
where run.is_of_past_day and exists (select from taken_back);

drop table taken_back
