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

-- The number of rejections of a file and reason that were only counted, because one run had more than are kept.
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

-- Files with answers of which the ledger has only the enclosed receipts. `trust: signed` left out the rest, without a
-- rejection. A file that is read again is no longer one of them (load_file.sql), unless its rest is left out again.
create table left_out_file (
    file_id integer primary key references input_file
);

-- The files that are read again: the setting that rejected their records has changed.
--
-- The setting delivery_columns maps the columns of delivery files. So any complaint about the content of a
-- delivery, or about the form of a whole file of deliveries, may come from it. A rejection that was only counted is
-- a rejection too. The setting receipt_columns maps columns of tables with receipts in the same way.
create function reconsidered_file(settings jsonb) returns setof integer
language sql stable
begin atomic
    -- Usually no run had other settings, and no rejection is read.
    with changed as materialized (
        select
            compared.run_id,
            compared.bundle_ids,
            compared.delivery_columns,
            compared.receipt_columns,
            compared.document_limit,
            compared.trust,
            compared.trusted_roots
        from (
            select
                run_id,
                run.settings -> 'bundle_ids' <> reconsidered_file.settings -> 'bundle_ids' as bundle_ids,
                run.settings -> 'delivery_columns' <> reconsidered_file.settings -> 'delivery_columns'
                    as delivery_columns,
                run.settings -> 'receipt_columns' <> reconsidered_file.settings -> 'receipt_columns'
                    as receipt_columns,
                run.settings -> 'document_limit' <> reconsidered_file.settings -> 'document_limit'
                    as document_limit,
                (run.settings -> 'trust' is distinct from reconsidered_file.settings -> 'trust') as trust,
                (run.settings -> 'trusted_roots' is distinct from reconsidered_file.settings -> 'trusted_roots')
                    as trusted_roots
            from run
        ) as compared
        where
            compared.bundle_ids
            or compared.delivery_columns
            or compared.receipt_columns
            or compared.document_limit
            or compared.trust
            or compared.trusted_roots
    )

    select rejected.file_id
    from changed
    inner join (
        select run_id, file_id, kind, reason from rejection
        union all
        select run_id, file_id, kind, reason from rejection_rest
    ) as rejected on changed.run_id = rejected.run_id
    inner join input_file on rejected.file_id = input_file.file_id
    where
        rejected.reason = 'foreign_bundle' and changed.bundle_ids
        or (
            rejected.kind = 'delivery'
            and rejected.reason in (
                'missing_field', 'bad_identifier', 'bad_date', 'bad_status', 'bad_number', 'bad_text'
            )
            or rejected.kind = 'file'
            and input_file.folder = 'deliveries'
            and rejected.reason in ('missing_column', 'wrong_folder', 'unknown_format')
        )
        and changed.delivery_columns
        or (
            rejected.kind = 'receipt'
            and rejected.reason in ('bad_identifier', 'bad_date')
            or rejected.kind = 'file'
            and input_file.folder = 'receipts'
            and rejected.reason in ('missing_column', 'wrong_folder', 'unknown_format')
        )
        and changed.receipt_columns
        or rejected.reason = 'too_large' and changed.document_limit
        or rejected.reason = 'unsigned' and changed.trust
        or rejected.reason in ('bad_signature', 'untrusted_chain', 'expired_certificate')
        and changed.trusted_roots
    union
    -- A file that was read again has several numbers, and after a rebuild the ledger has it under the lowest.
    select other.file_id
    from left_out_file
    inner join input_file on left_out_file.file_id = input_file.file_id
    inner join input_file as other
        on input_file.sha256 = other.sha256
        and input_file.folder = other.folder
    where reconsidered_file.settings ->> 'trust' is distinct from 'signed';
end
