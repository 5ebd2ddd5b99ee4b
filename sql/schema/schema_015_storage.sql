-- Tables ready for size: room for updates, what autovacuum and ANALYZE look at, how long values are kept.
--
-- Each number was measured; DECISIONS.md tells how.

-- What a step of a run read from files or wrote into them.
alter table run_step add column byte_count bigint;

-- A row that is updated in its own page leaves the indexes alone. Signed evidence that is told again is
-- dated anew, a transaction that is told again is merged anew, a finding's detail follows what is found.
-- The others are only ever inserted.
alter table evidence set (fillfactor = 95);
alter table store_transaction set (fillfactor = 90);
alter table finding set (fillfactor = 80);

-- A part of a large table is a large number: of a hundred million rows a fifth, PostgreSQL's default, would
-- never come. What is inserted counts too, for only what was vacuumed is read from an index alone.
alter table evidence set (
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);
alter table store_transaction set (
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);
alter table delivery_record set (
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);
alter table document set (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);
alter table client_transaction set (
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);
alter table finding set (autovacuum_vacuum_scale_factor = 0.02);
alter table finding_event set (autovacuum_vacuum_insert_scale_factor = 0.02);

-- A load analyzes what it has changed. What no statement joins or asks by need not be sampled; sets of
-- accounts and devices took a third of the time.
alter table store_transaction
    alter column account_ids set statistics 0,
    alter column device_ids set statistics 0,
    alter column account_tokens set statistics 0;
alter table delivery_record
    alter column server set statistics 0,
    alter column region set statistics 0,
    alter column app_version set statistics 0,
    alter column error set statistics 0,
    alter column bytes set statistics 0,
    alter column line set statistics 0;
alter table evidence
    alter column quantity set statistics 0,
    alter column storefront set statistics 0,
    alter column account_token set statistics 0,
    alter column line set statistics 0;
alter table rejection
    alter column detail set statistics 0,
    alter column excerpt set statistics 0,
    alter column raw set statistics 0;

-- Many rejected records come in one night that cannot wait; a server may have been built without lz4.
do $$
begin
    alter table rejection alter column raw set compression lz4;
exception
    when feature_not_supported then null;
end
$$;

-- What retention_drop.sql finds what it drops by.
alter table run add column is_cleared boolean not null default false;

create index input_file_by_run_id on input_file (run_id);

create index document_by_file_id on document (file_id);

create index finding_resolved on finding (changed_run_id)
where status = 'resolved'
