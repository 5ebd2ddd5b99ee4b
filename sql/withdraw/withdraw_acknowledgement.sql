-- Cancels the acknowledgements of a file, if the file is withdrawn, and returns the names of the findings that are open
-- again.
--
-- Acknowledgements that they replaced stay replaced. The lines whose acknowledgements applied are no longer known: if
-- the file counts again, these lines count again. Lines that people had replaced or reopened stay known, and do not.
--
-- Takes  tieout.withdrawn: a JSON object with the file's sha256 in hexadecimal digits, and with the person and the
--        system_user who withdraw it.
-- Gives  name
drop table if exists withdrawn_file, withdrawn_finding;

create temporary table withdrawn_file on commit drop as
select input_file.file_id
from input_file
inner join withdrawal on input_file.sha256 = withdrawal.sha256
where
    input_file.sha256 = decode(current_setting('tieout.withdrawn')::json ->> 'sha256', 'hex')
    and input_file.folder = 'acknowledgements'
    and withdrawal.undone_at is null;

-- The finding is locked first and its acknowledgement second, as everywhere.
create temporary table withdrawn_finding on commit drop as
with

reopened as (

    update finding
    set status = 'reopened'
    from acknowledgement
    where
        finding.finding_id = acknowledgement.finding_id
        and finding.status = 'acknowledged'
        and acknowledgement.ended_because is null
        and acknowledgement.file_id in (select withdrawn_file.file_id from withdrawn_file)
    returning finding.name

)

select name
from reopened;

update acknowledgement
set
    content_hash = null,
    ended_because = 'reopened',
    ended_by = current_setting('tieout.withdrawn')::json ->> 'person',
    ended_note = 'Its file was withdrawn.',
    ended_at = clock_timestamp(),
    ended_system_user = current_setting('tieout.withdrawn')::json ->> 'system_user',
    ended_role = session_user
where ended_because is null and file_id in (select withdrawn_file.file_id from withdrawn_file);

update inbox_path
set
    file_id = null,
    withdrawn_sha256 = decode(current_setting('tieout.withdrawn')::json ->> 'sha256', 'hex')
where file_id in (select withdrawn_file.file_id from withdrawn_file);

update input_file
set is_withdrawn = true
where file_id in (select withdrawn_file.file_id from withdrawn_file);

select name
from withdrawn_finding
order by name
