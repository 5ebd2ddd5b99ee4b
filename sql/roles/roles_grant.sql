-- What the roles may do. The program runs it whenever it has changed the schema, as the schema's owner;
-- whoever makes the roles runs it once.
--
-- Nothing happens where the schema is not tieout_owner's: roles belong to a whole server, and may be another
-- database's.
do $$
begin
    if
        to_regclass('tieout.view_version') is null
        or not exists (
            select
            from pg_namespace
            where nspname = 'tieout' and pg_get_userbyid(nspowner) = 'tieout_owner'
        )
    then
        return;
    end if;
    revoke all on all tables in schema tieout from tieout_job, tieout_reader;
    grant usage on schema tieout to tieout_job, tieout_reader;

    -- The run reads everything, and writes what it loads, judges and tells of itself.
    grant select on all tables in schema tieout to tieout_job;
    grant insert on
        tieout.run, tieout.run_count, tieout.run_step, tieout.input_file, tieout.inbox_path,
        tieout.document, tieout.rejection, tieout.evidence, tieout.store_transaction,
        tieout.delivery_record, tieout.catalogue_statement, tieout.client_transaction,
        tieout.client_invalid_product, tieout.receipt_question, tieout.finding, tieout.finding_event,
        tieout.acknowledgement,
        tieout.judged, tieout.carried_log_instant, tieout.carried_invalid_report,
        tieout.carried_missing_delivery, tieout.carried_surplus_restore,
        tieout.carried_invalid_sighting, tieout.carried_shared_family, tieout.carried_client_restore,
        tieout.carried_revenue, tieout.carried_total, tieout.carried_due, tieout.carried_source_hour,
        tieout.carried_source_product, tieout.carried_silent_hour, tieout.carried_served,
        tieout.staging_document, tieout.staging_evidence, tieout.staging_delivery,
        tieout.staging_catalogue, tieout.staging_client_transaction,
        tieout.staging_client_invalid_product, tieout.staging_acknowledgement, tieout.staging_rejection
    to tieout_job;
    grant update on
        tieout.run, tieout.inbox_path, tieout.evidence, tieout.receipt_question, tieout.finding,
        tieout.acknowledgement,
        tieout.judged, tieout.carried_log_instant, tieout.carried_missing_delivery,
        tieout.carried_client_restore, tieout.carried_revenue, tieout.carried_total,
        tieout.carried_source_hour, tieout.carried_source_product, tieout.carried_served
    to tieout_job;
    -- The first night decides how names are kept.
    grant update (mode, key_check) on tieout.privacy to tieout_job;
    -- What is merged anew; what retention drops; what is carried forward; what was staged before.
    grant delete on
        tieout.store_transaction, tieout.document, tieout.rejection, tieout.run_step, tieout.finding,
        tieout.finding_event, tieout.judged, tieout.carried_log_instant,
        tieout.carried_invalid_report, tieout.carried_missing_delivery,
        tieout.carried_surplus_restore, tieout.carried_invalid_sighting,
        tieout.carried_shared_family, tieout.carried_client_restore, tieout.carried_revenue,
        tieout.carried_total, tieout.carried_due, tieout.carried_source_hour,
        tieout.carried_source_product, tieout.carried_silent_hour, tieout.carried_served,
        tieout.staging_document, tieout.staging_evidence, tieout.staging_delivery,
        tieout.staging_catalogue, tieout.staging_client_transaction,
        tieout.staging_client_invalid_product, tieout.staging_acknowledgement, tieout.staging_rejection
    to tieout_job;
    grant truncate on
        tieout.staging_document, tieout.staging_evidence, tieout.staging_delivery,
        tieout.staging_catalogue, tieout.staging_client_transaction,
        tieout.staging_client_invalid_product, tieout.staging_acknowledgement, tieout.staging_rejection
    to tieout_job;
    -- Before 17 only an owner may vacuum and analyze; autovacuum does it then.
    if current_setting('server_version_num')::integer >= 170000 then
        execute 'grant maintain on all tables in schema tieout to tieout_job';
    end if;

    grant select on
        tieout.night, tieout.product, tieout.price, tieout.refund, tieout.considered_transaction,
        tieout.claim, tieout.member, tieout.invalid_report, tieout.family, tieout.delivery,
        tieout.attempt, tieout.log_instant, tieout.books, tieout.obligation, tieout.restored_family,
        tieout.sale, tieout.found, tieout.source_hour, tieout.source_product, tieout.silent_hour,
        tieout.silence, tieout.unheard, tieout.cause,
        tieout.report_finding, tieout.report_missing_delivery, tieout.report_duplicate_restore,
        tieout.report_revenue, tieout.report_night, tieout.report_open_by_night, tieout.report_step,
        tieout.report_rejection
    to tieout_reader;
end
$$
