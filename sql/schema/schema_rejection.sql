-- Creates the tables of rejections: what could not be used.

-- One row for each record, document or file that could not be used.
create table rejection (
    rejection_id bigint generated always as identity primary key,
    run_id bigint not null references run,
    -- Missing if the file itself could not be read.
    file_id integer references input_file,
    path text collate "C" not null,
    line bigint,
    kind text collate "C" not null,
    reason text collate "C" not null,
    detail text not null,
    excerpt text not null,
    -- The record itself, up to the configured size, and its whole length in bytes.
    raw bytea,
    raw_bytes bigint not null,

    constraint kind_is_known check (
        kind in (
            'file', 'receipt', 'transaction', 'delivery', 'catalogue', 'client', 'acknowledgement'
        )
    )
);

-- No SQL statement joins or filters by these.
alter table rejection
    alter column detail set statistics 0,
    alter column excerpt set statistics 0,
    alter column raw set statistics 0;

-- One night can reject many records, and it should not wait for a slow compression. A server may have been built
-- without lz4.
do $$
begin
    alter table rejection alter column raw set compression lz4;
exception
    when feature_not_supported then null;
end
$$;

create index rejection_by_run_id on rejection (run_id);

-- Since when a file cannot be read is looked up by its path.
create index rejection_of_file on rejection (path, run_id) where kind = 'file';

-- The number of rejections of a file and reason that were only counted, because one run had more than are kept. It is 0
-- if a rebuild with a changed setting rejected all known records again (rebuild_close.sql).
create table rejection_rest (
    run_id bigint not null references run,
    -- Missing if the file itself could not be read.
    file_id integer references input_file,
    path text collate "C" not null,
    kind text collate "C" not null,
    reason text collate "C" not null,
    records bigint not null
);

create index rejection_rest_by_run_id on rejection_rest (run_id);

-- It has no key, so a publication of all tables needs whole rows to publish that they are deleted.
alter table rejection_rest replica identity full;

-- Files with answers of which the ledger has only the enclosed receipts. `trust: signed` left out the rest, without a
-- rejection. A file that is read again is no longer one of them (load_file.sql), unless its rest is left out again.
create table left_out_file (
    file_id integer primary key references input_file
);

-- The setting that decides whether a record, document or file is rejected for this reason; null if none does.
--
-- The setting delivery_columns maps the columns of delivery files. So any complaint about the content of a
-- delivery, or about the form of a whole file of deliveries, may come from it. The setting receipt_columns maps columns
-- of tables with receipts in the same way.
create function deciding_setting(kind text, folder text, reason text) returns text
language sql immutable parallel safe
return case
    when reason = 'foreign_bundle' then 'bundle_ids'
    when reason = 'too_large' then 'document_limit'
    when reason = 'unsigned' then 'trust'
    when reason in ('bad_signature', 'untrusted_chain', 'expired_certificate') then 'trusted_roots'
    when
        kind = 'delivery'
        and reason in ('missing_field', 'bad_identifier', 'bad_date', 'bad_status', 'bad_number', 'bad_text')
        or kind = 'file'
        and folder = 'deliveries'
        and reason in ('missing_column', 'wrong_folder', 'unknown_format')
        then 'delivery_columns'
    when
        kind = 'receipt'
        and reason in ('bad_identifier', 'bad_date')
        or kind = 'file'
        and folder = 'receipts'
        and reason in ('missing_column', 'wrong_folder', 'unknown_format')
        then 'receipt_columns'
end;

-- The files that are read again: the setting that rejected their records has changed. A rejection that was only counted
-- is a rejection too.
create function reconsidered_file(settings jsonb) returns setof integer
language sql stable
begin atomic
    -- Usually no run had other settings, and no rejection is read.
    with changed as materialized (
        select
            run.run_id,
            setting.name
        from run
        cross join unnest(settings_of_reading() || array['trust']) as setting (name)
        where run.settings -> setting.name is distinct from reconsidered_file.settings -> setting.name
    )

    -- A file that was read again has several numbers. A rebuild reads it under the lowest, and what it rejects is true
    -- of all numbers that the file had then.
    select other.file_id
    from changed
    inner join (
        select run_id, file_id, kind, reason from rejection
        union all
        select run_id, file_id, kind, reason from rejection_rest
    ) as rejected on changed.run_id = rejected.run_id
    inner join input_file on rejected.file_id = input_file.file_id
    inner join input_file as other
        on input_file.sha256 = other.sha256
        and input_file.folder = other.folder
        and rejected.run_id >= other.run_id
    where changed.name = deciding_setting(rejected.kind, input_file.folder, rejected.reason)
    union
    select other.file_id
    from left_out_file
    inner join input_file on left_out_file.file_id = input_file.file_id
    inner join input_file as other
        on input_file.sha256 = other.sha256
        and input_file.folder = other.folder
    where reconsidered_file.settings ->> 'trust' is distinct from 'signed';
end;

-- A regular expression that matches a name as a separate word: 2026-11 is none in 2026-11-19, and 1.2 none in 1.2.3.
-- Every character that is not a letter or a digit is escaped.
create function word_pattern(name text) returns text
language sql stable parallel safe
return '(^|[^A-Za-z0-9_.-])'
|| regexp_replace(encode(convert_to(name, 'UTF8'), 'escape'), '([^A-Za-z0-9])', '\\\1', 'g')
|| '($|[^A-Za-z0-9_.-]|[.]($|[^A-Za-z0-9_.-]))'
