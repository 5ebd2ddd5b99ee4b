-- Files that are read again, because a setting has changed that had rejected a part of them.

-- Such a file has another row for the run that read it again.
alter table input_file drop constraint file_is_known_by_its_bytes;
alter table input_file add constraint file_is_known_by_its_bytes unique (sha256, folder, run_id);

-- The files of which tonight's settings could use what those of their own night rejected.
create function reconsidered_file(settings jsonb) returns setof integer
language sql stable
begin atomic
    select distinct rejection.file_id
    from run
    inner join rejection on run.run_id = rejection.run_id
    where
        rejection.file_id is not null
        and (
            rejection.reason = 'foreign_bundle'
            and run.settings -> 'bundle_ids' <> reconsidered_file.settings -> 'bundle_ids'
            or (
                rejection.reason = 'missing_column'
                or rejection.reason = 'missing_field' and rejection.kind = 'delivery'
            )
            and run.settings -> 'delivery_columns' <> reconsidered_file.settings -> 'delivery_columns'
            or rejection.reason = 'too_large'
            and run.settings -> 'document_limit' <> reconsidered_file.settings -> 'document_limit'
        );
end
