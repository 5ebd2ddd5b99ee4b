-- Grants the roles their rights. The program runs it as the owner of the schema each time it has changed the schema.
-- The person who creates the roles runs it once.
--
-- It does nothing if the schema does not exist or tieout_owner does not own it: roles belong to a whole server, so they
-- may be for another database.
do $$
begin
    if
        pg_catalog.to_regclass('tieout.view_version') is null
        or not exists (
            select
            from pg_catalog.pg_namespace
            where
                pg_namespace.nspname = 'tieout'
                and pg_catalog.pg_get_userbyid(pg_namespace.nspowner) = 'tieout_owner'
        )
    then
        return;
    end if;
    revoke all on all tables in schema tieout from tieout_job, tieout_reader, tieout_closer;
    grant usage on schema tieout to tieout_job, tieout_reader, tieout_closer;

    -- The run reads everything. To the tables that stay, it only adds rows:
    grant select on all tables in schema tieout to tieout_job;
    grant insert on
        tieout.run, tieout.run_count, tieout.input_file, tieout.inbox_path, tieout.stored_evidence,
        tieout.recorded_product, tieout.odd_identifier, tieout.stored_delivery, tieout.catalogue_fact,
        tieout.client_transaction, tieout.client_invalid_product, tieout.apple_report, tieout.apple_report_row,
        tieout.feed_day, tieout.receipt_question, tieout.acknowledgement, tieout.roll_forward,
        tieout.published_month, tieout.published_sum, tieout.restated_entry, tieout.month_correction
    to tieout_job;
    -- Rows that are merged again, that retention drops, or that are carried forward:
    grant insert, delete on
        tieout.open_record, tieout.left_out_file, tieout.merged_transaction, tieout.document,
        tieout.rejection, tieout.rejection_rest, tieout.run_step, tieout.finding, tieout.finding_event,
        tieout.rolled_finding, tieout.judged, tieout.carried_log_hour, tieout.carried_invalid_report,
        tieout.carried_missing_delivery, tieout.carried_surplus_restore, tieout.carried_invalid_sighting,
        tieout.carried_shared_family, tieout.carried_client_restore, tieout.carried_revenue,
        tieout.carried_month, tieout.carried_entry, tieout.carried_term, tieout.carried_pacific,
        tieout.carried_owed, tieout.carried_total, tieout.carried_due, tieout.carried_source_hour,
        tieout.carried_source_product, tieout.carried_silent_hour, tieout.carried_served,
        tieout.carried_closest, tieout.carried_listed
    to tieout_job;
    -- The next run empties what a run has staged:
    grant insert, delete, truncate on
        tieout.staging_document, tieout.staging_evidence, tieout.staging_delivery,
        tieout.staging_catalogue, tieout.staging_client_transaction,
        tieout.staging_client_invalid_product, tieout.staging_acknowledgement, tieout.staging_apple_report,
        tieout.staging_rejection
    to tieout_job;
    -- Of existing rows the job changes only the columns below. The record of a run, and whether its closed data is
    -- kept:
    grant update (outcome, finished_at, is_published, edition, is_reported, is_rebuild, is_cleared)
    on tieout.run to tieout_job;
    -- The state of each path, and the ages and the oldest place of evidence:
    grant update (bytes, modified_ns, inode, file_id, withdrawn_sha256)
    on tieout.inbox_path to tieout_job;
    grant update (evidence_at, last_evidence_at, last_file_id, file_id, line, pointer, is_lone)
    on tieout.stored_evidence to tieout_job;
    -- The numbers of staged identifiers:
    grant update (transaction_number, original_number, line_item_number)
    on tieout.staging_evidence, tieout.staging_delivery to tieout_job;
    grant update (first_at, last_at) on tieout.feed_day to tieout_job;
    grant update (asked_at, status, is_sandbox, answer_path) on tieout.receipt_question to tieout_job;
    -- The state of findings and acknowledgements:
    grant update (level, reason, detail, amount, currency, status, changed_run_id) on tieout.finding to tieout_job;
    grant update (
        ended_because, ended_by, ended_at, ended_note, ended_run_id, content_hash, ended_system_user, ended_role
    )
    on tieout.acknowledgement to tieout_job;
    grant update (reason, currency, amount, is_acknowledged) on tieout.rolled_finding to tieout_job;
    -- The carried data:
    grant update (run_id, fingerprint) on tieout.judged to tieout_job;
    grant update (attempts) on tieout.carried_source_hour to tieout_job;
    grant update (reason, possible_match_delivery_id, possible_match_differs)
    on tieout.carried_missing_delivery to tieout_job;
    grant update (restores) on tieout.carried_client_restore to tieout_job;
    grant update (
        entries, units_sold, gross, units_refunded, refunds, net, units_upgraded, units_unpriced, offers_unpriced
    )
    on tieout.carried_revenue to tieout_job;
    grant update (entries, units_sold, gross, units_refunded, refunds, net, units_upgraded)
    on tieout.carried_month to tieout_job;
    grant update (entries, units, amount, refund) on tieout.carried_term to tieout_job;
    grant update (entries) on tieout.carried_pacific to tieout_job;
    grant update (value) on tieout.carried_total to tieout_job;
    grant update (deliveries) on tieout.carried_served to tieout_job;
    grant update (closest_product_id) on tieout.carried_closest to tieout_job;
    -- Files that have grown, of which only the records of open lines can be removed, files without usable records, and
    -- the contents of reports.
    grant update (has_grown, is_unusable, report_hash) on tieout.input_file to tieout_job;
    grant execute on function tieout.take_back(text, text, bigint) to tieout_job;
    -- The first night decides how names are kept.
    grant update (mode, key_check) on tieout.privacy to tieout_job;
    -- Before PostgreSQL 17 only the owner of a table may vacuum and analyze it. There autovacuum does it.
    if pg_catalog.current_setting('server_version_num')::integer >= 170000 then
        execute 'grant maintain on all tables in schema tieout to tieout_job';
    end if;

    grant select on
        tieout.evidence, tieout.store_transaction, tieout.delivery_record,
        tieout.night, tieout.product, tieout.price, tieout.refund,
        tieout.considered_transaction, tieout.line_item_price, tieout.restoring,
        tieout.matched, tieout.claim, tieout.member, tieout.invalid_report, tieout.family, tieout.delivery,
        tieout.attempt, tieout.log_hour, tieout.books, tieout.obligation, tieout.restored_family,
        tieout.sale, tieout.found, tieout.source_hour, tieout.source_product, tieout.silent_hour,
        tieout.silence, tieout.unheard, tieout.unrecorded, tieout.undelivered, tieout.cause,
        tieout.unread_file, tieout.compared,
        tieout.report_finding, tieout.report_missing_delivery, tieout.report_duplicate_restore,
        tieout.report_revenue, tieout.report_month, tieout.report_night, tieout.report_open_by_night,
        tieout.report_step, tieout.report_rejection, tieout.period_state, tieout.standing_finding,
        tieout.acknowledged_finding, tieout.last_run_of_day, tieout.closed_month,
        tieout.standing_month, tieout.month_change, tieout.period_difference
    to tieout_reader;

    -- Who closes a period reads everything, and adds closings and approvals. Triggers keep what was added.
    grant select on all tables in schema tieout to tieout_closer;
    grant insert on
        tieout.period_closing, tieout.period_approval, tieout.period_amount,
        tieout.published_month, tieout.published_sum
    to tieout_closer;
    grant update (pack_sha256, reopened_because) on tieout.period_closing to tieout_closer;
end
$$
