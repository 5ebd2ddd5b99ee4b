-- What of tonight's files could not be used. The path is the file's below the inbox. Acknowledgements are
-- findings_told.sql's, when the findings have their lives.
insert into rejection (
    run_id, file_id, path, line, kind, reason, detail, excerpt, raw, raw_bytes
)
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
    staging_rejection.raw_bytes
from staging_rejection
inner join tonight_file on staging_rejection.file_id = tonight_file.file_id
left join input_file on staging_rejection.file_id = input_file.file_id
where staging_rejection.kind <> 'acknowledgement'
order by tonight_file.path, staging_rejection.line nulls first, staging_rejection.kind
