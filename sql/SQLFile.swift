/// The SQL files of this folder, by name.
///
/// Each file is built into the program, so a renamed or deleted file fails the build here.
public struct SQLFile: Hashable, Sendable, CustomStringConvertible {
  /// The name of the file in sql/, without `.sql`.
  public let name: String
  /// The text of the file.
  public let text: String

  /// A file by its name without `.sql`, and its text.
  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// The name without its layer: `member` for `judge_member`.
  public var subject: String { String(name.drop { $0 != "_" }.dropFirst()) }

  /// The name, which is how tests and logs show it.
  public var description: String { name }
}

extension SQLFile {
  /// Create tables, functions and views, in this order.
  public static let schema = [
    SQLFile("schema_version", PackageResources.schema_version_sql),
    SQLFile("schema_policy", PackageResources.schema_policy_sql),
    SQLFile("schema_order", PackageResources.schema_order_sql),
    SQLFile("schema_run", PackageResources.schema_run_sql),
    SQLFile("schema_file", PackageResources.schema_file_sql),
    SQLFile("schema_function", PackageResources.schema_function_sql),
    SQLFile("schema_distance", PackageResources.schema_distance_sql),
    SQLFile("schema_identifier", PackageResources.schema_identifier_sql),
    SQLFile("schema_product", PackageResources.schema_product_sql),
    SQLFile("schema_usual", PackageResources.schema_usual_sql),
    SQLFile("schema_evidence", PackageResources.schema_evidence_sql),
    SQLFile("schema_transaction", PackageResources.schema_transaction_sql),
    SQLFile("schema_delivery", PackageResources.schema_delivery_sql),
    SQLFile("schema_client", PackageResources.schema_client_sql),
    SQLFile("schema_catalogue", PackageResources.schema_catalogue_sql),
    SQLFile("schema_apple_report", PackageResources.schema_apple_report_sql),
    SQLFile("schema_apple_period", PackageResources.schema_apple_period_sql),
    SQLFile("schema_question", PackageResources.schema_question_sql),
    SQLFile("schema_rejection", PackageResources.schema_rejection_sql),
    SQLFile("schema_finding", PackageResources.schema_finding_sql),
    SQLFile("schema_acknowledgement", PackageResources.schema_acknowledgement_sql),
    SQLFile("schema_roll_forward", PackageResources.schema_roll_forward_sql),
    SQLFile("schema_restated", PackageResources.schema_restated_sql),
    SQLFile("schema_period", PackageResources.schema_period_sql),
    SQLFile("schema_open_record", PackageResources.schema_open_record_sql),
    SQLFile("schema_staging", PackageResources.schema_staging_sql),
    SQLFile("schema_spelling", PackageResources.schema_spelling_sql),
    SQLFile("schema_carried", PackageResources.schema_carried_sql),
    SQLFile("schema_pacific", PackageResources.schema_pacific_sql),
    SQLFile("schema_tie_out", PackageResources.schema_tie_out_sql),
    SQLFile("schema_tie_out_split", PackageResources.schema_tie_out_split_sql),
    SQLFile("schema_tie_out_bridge", PackageResources.schema_tie_out_bridge_sql),
    SQLFile("schema_source", PackageResources.schema_source_sql),
    SQLFile("schema_withdrawal", PackageResources.schema_withdrawal_sql),
    SQLFile("schema_privacy", PackageResources.schema_privacy_sql),
    SQLFile("schema_journal", PackageResources.schema_journal_sql),
    SQLFile("schema_view", PackageResources.schema_view_sql),
  ]

  /// Creates the roles; an administrator runs it.
  public static let rolesCreate = SQLFile("roles_create", PackageResources.roles_create_sql)

  /// Grants the roles their rights.
  public static let rolesGrant = SQLFile("roles_grant", PackageResources.roles_grant_sql)

  /// Registers tonight's files, and returns those that are known already.
  public static let loadFile = SQLFile("load_file", PackageResources.load_file_sql)

  /// Numbers tonight's identifiers and products.
  public static let loadNumber = SQLFile("load_number", PackageResources.load_number_sql)

  /// Counts what tonight's files contain, before the load changes the tables.
  public static let loadCount = SQLFile("load_count", PackageResources.load_count_sql)

  /// Lists the transactions that must be merged again because the setting `trust` has changed.
  public static let loadTrust = SQLFile("load_trust", PackageResources.load_trust_sql)

  /// Merges the evidence of each touched transaction.
  public static let loadMerge = SQLFile("load_merge", PackageResources.load_merge_sql)

  /// Load tonight's rows into the ledger, in this order.
  public static let load = [
    SQLFile("load_drop_key", PackageResources.load_drop_key_sql),
    SQLFile("load_document", PackageResources.load_document_sql),
    SQLFile("load_evidence", PackageResources.load_evidence_sql),
    loadMerge,
    SQLFile("load_grown", PackageResources.load_grown_sql),
    SQLFile("load_open", PackageResources.load_open_sql),
    SQLFile("load_delivery", PackageResources.load_delivery_sql),
    SQLFile("load_key", PackageResources.load_key_sql),
    SQLFile("load_catalogue", PackageResources.load_catalogue_sql),
    SQLFile("load_client", PackageResources.load_client_sql),
    SQLFile("load_apple_report", PackageResources.load_apple_report_sql),
    loadRejection,
  ]

  /// Inserts tonight's rejections.
  public static let loadRejection = SQLFile(
    "load_rejection", PackageResources.load_rejection_sql)

  /// The number that the next new file gets.
  public static let loadNextFile = SQLFile("load_next_file", PackageResources.load_next_file_sql)

  /// Records that an address answered with a catalogue.
  public static let loadAnswer = SQLFile("load_answer", PackageResources.load_answer_sql)

  /// Empties the ledger before it is built again from the files that count.
  public static let rebuildEmpty = SQLFile("rebuild_empty", PackageResources.rebuild_empty_sql)

  /// Deletes texts with names after a change in how names are kept.
  public static let rebuildPrivacy = SQLFile(
    "rebuild_privacy", PackageResources.rebuild_privacy_sql)

  /// Finds the other names that only a forgotten account uses.
  public static let forgetCompanion = SQLFile(
    "forget_companion", PackageResources.forget_companion_sql)

  /// Lists the transactions that must be merged again without a name.
  public static let forgetMerge = SQLFile("forget_merge", PackageResources.forget_merge_sql)

  /// Removes names from findings, acknowledgements and rejections.
  public static let forgetTrace = SQLFile("forget_trace", PackageResources.forget_trace_sql)

  /// Completes a rebuild after the ledger is loaded again.
  public static let rebuildClose = SQLFile("rebuild_close", PackageResources.rebuild_close_sql)

  /// The obligations that may have been delivered although no log contains the delivery.
  public static let judgeUnheard = SQLFile("judge_unheard", PackageResources.judge_unheard_sql)

  /// The undelivered obligations in whose time the log has no delivery of anything.
  public static let judgeUnrecorded = SQLFile(
    "judge_unrecorded", PackageResources.judge_unrecorded_sql)

  /// The transactions that a night considers.
  public static let judgeConsideredTransaction = SQLFile(
    "judge_considered_transaction", PackageResources.judge_considered_transaction_sql)

  /// The catalogue's prices.
  public static let judgePrice = SQLFile("judge_price", PackageResources.judge_price_sql)

  /// The deliveries with the families that they belong to.
  public static let judgeAttempt = SQLFile("judge_attempt", PackageResources.judge_attempt_sql)

  /// The relations that a night judges by; each may read those before it.
  public static let judge = [
    SQLFile("judge_night", PackageResources.judge_night_sql),
    SQLFile("judge_product", PackageResources.judge_product_sql),
    judgePrice,
    SQLFile("judge_refund", PackageResources.judge_refund_sql),
    judgeConsideredTransaction,
    SQLFile("judge_line_item_price", PackageResources.judge_line_item_price_sql),
    SQLFile("judge_claim", PackageResources.judge_claim_sql),
    SQLFile("judge_restoring", PackageResources.judge_restoring_sql),
    SQLFile("judge_member", PackageResources.judge_member_sql),
    judgeInvalidReport,
    SQLFile("judge_family", PackageResources.judge_family_sql),
    SQLFile("judge_delivery", PackageResources.judge_delivery_sql),
    judgeAttempt,
    judgeLogHour,
    judgeSourceHour,
    judgeSourceProduct,
    judgeSilentHour,
    SQLFile("judge_silence", PackageResources.judge_silence_sql),
    SQLFile("judge_books", PackageResources.judge_books_sql),
    SQLFile("judge_obligation", PackageResources.judge_obligation_sql),
    judgeUnheard,
    judgeUnrecorded,
    SQLFile("judge_undelivered", PackageResources.judge_undelivered_sql),
    SQLFile("judge_restored_family", PackageResources.judge_restored_family_sql),
    SQLFile("judge_sale", PackageResources.judge_sale_sql),
  ]

  /// The properties that missing deliveries have in common, from the carried data.
  public static let judgeCause = SQLFile("judge_cause", PackageResources.judge_cause_sql)

  /// The files that could not be read, in whole or in part.
  public static let judgeUnreadFile = SQLFile(
    "judge_unread_file", PackageResources.judge_unread_file_sql)

  /// How much of the night was compared: obligations, units without an amount, and what was not
  /// read.
  public static let judgeCompared = SQLFile(
    "judge_compared", PackageResources.judge_compared_sql)

  /// Our sales against those of Apple's reports.
  public static let judgeTied = SQLFile("judge_tied", PackageResources.judge_tied_sql)

  /// The open findings for the reports.
  ///
  /// While a night judges, these are the findings of its rules.
  public static let judgeFound = SQLFile("judge_found", PackageResources.judge_found_sql)

  /// Finds how tonight changed the missing deliveries.
  public static let restatedMissing = SQLFile(
    "restated_missing", PackageResources.restated_missing_sql)

  /// Lists each transaction of an ended month before and after tonight's changes.
  public static let restatedRow = SQLFile("restated_row", PackageResources.restated_row_sql)

  /// Inserts how tonight changed ended months that are published.
  public static let restatedChange = SQLFile(
    "restated_change", PackageResources.restated_change_sql)

  /// Inserts how a silence changed missing deliveries of ended months.
  public static let restatedSilence = SQLFile(
    "restated_silence", PackageResources.restated_silence_sql)

  /// Checks that the changes of ended months add up.
  public static let restatedBalance = SQLFile(
    "restated_balance", PackageResources.restated_balance_sql)

  /// Inserts what tonight's edition publishes about ended months.
  public static let restatedPublished = SQLFile(
    "restated_published", PackageResources.restated_published_sql)

  /// Whether a month, or any month, was published.
  public static let restatedHasPublished = SQLFile(
    "restated_has_published", PackageResources.restated_has_published_sql)

  /// Inserts the amounts of a closing.
  public static let periodAmount = SQLFile("period_amount", PackageResources.period_amount_sql)

  /// Checks that each amount of the closed periods is in exactly one of them.
  public static let periodBalance = SQLFile("period_balance", PackageResources.period_balance_sql)

  /// The sales, refunds and adjustments of a closed period.
  public static let periodStatement = SQLFile(
    "period_statement", PackageResources.period_statement_sql)

  /// The totals of a closing by currency and source of amounts.
  public static let periodTotal = SQLFile("period_total", PackageResources.period_total_sql)

  /// What a person who closes or approves a period must know about its numbers.
  public static let periodDoubt = SQLFile("period_doubt", PackageResources.period_doubt_sql)

  /// What is open when a period is closed.
  public static let periodOpen = SQLFile("period_open", PackageResources.period_open_sql)

  /// Each approval as its certificate has it.
  public static let periodCertificate = SQLFile(
    "period_certificate", PackageResources.period_certificate_sql)

  /// Each closed period with its state.
  public static let periodList = SQLFile("period_list", PackageResources.period_list_sql)

  /// Deletes closed data that is old enough.
  public static let retentionDrop = SQLFile(
    "retention_drop", PackageResources.retention_drop_sql)

  /// The queries of the rules.
  ///
  /// A rule may read the findings of the rules before it.
  public static let rules = [
    SQLFile("rule_invalid_product_id", PackageResources.rule_invalid_product_id_sql),
    SQLFile("rule_missing_delivery", PackageResources.rule_missing_delivery_sql),
    SQLFile("rule_unfinished_delivery", PackageResources.rule_unfinished_delivery_sql),
    SQLFile("rule_duplicate_restore", PackageResources.rule_duplicate_restore_sql),
    SQLFile("rule_missing_original", PackageResources.rule_missing_original_sql),
    SQLFile("rule_unrestorable_restore", PackageResources.rule_unrestorable_restore_sql),
    SQLFile("rule_delivery_without_purchase", PackageResources.rule_delivery_without_purchase_sql),
    SQLFile("rule_duplicate_delivery", PackageResources.rule_duplicate_delivery_sql),
    SQLFile("rule_shared_purchase", PackageResources.rule_shared_purchase_sql),
    SQLFile("rule_conflicting_transaction", PackageResources.rule_conflicting_transaction_sql),
    SQLFile("rule_conflicting_delivery", PackageResources.rule_conflicting_delivery_sql),
    SQLFile("rule_conflicting_catalogue", PackageResources.rule_conflicting_catalogue_sql),
    SQLFile(
      "rule_purchase_without_receipt", PackageResources.rule_purchase_without_receipt_sql),
    SQLFile("rule_automatic_restore", PackageResources.rule_automatic_restore_sql),
    SQLFile("rule_suspicious_receipt", PackageResources.rule_suspicious_receipt_sql),
    SQLFile("rule_catalogue_disagreement", PackageResources.rule_catalogue_disagreement_sql),
    SQLFile("rule_silent_source", PackageResources.rule_silent_source_sql),
    SQLFile("rule_unpriced_product", PackageResources.rule_unpriced_product_sql),
    SQLFile("rule_stale_feed", PackageResources.rule_stale_feed_sql),
    SQLFile(
      "rule_certificate_withdrawn", PackageResources.rule_certificate_withdrawn_sql),
    SQLFile(
      "rule_unexplained_difference", PackageResources.rule_unexplained_difference_sql),
  ]

  /// The queries of the reports: the statements first, then the night papers.
  public static let reports = [
    SQLFile("report_missing_deliveries", PackageResources.report_missing_deliveries_sql),
    SQLFile("report_invalid_product_ids", PackageResources.report_invalid_product_ids_sql),
    SQLFile("report_duplicate_restores", PackageResources.report_duplicate_restores_sql),
    SQLFile("report_revenue", PackageResources.report_revenue_sql),
    SQLFile("report_months", PackageResources.report_months_sql),
    SQLFile("report_liabilities", PackageResources.report_liabilities_sql),
    SQLFile("report_proceeds", PackageResources.report_proceeds_sql),
    SQLFile("report_tie_out", PackageResources.report_tie_out_sql),
    SQLFile("report_findings", PackageResources.report_findings_sql),
    SQLFile("report_causes", PackageResources.report_causes_sql),
    SQLFile("report_control_totals", PackageResources.report_control_totals_sql),
    SQLFile("report_rejected_records", PackageResources.report_rejected_records_sql),
    SQLFile("report_changes", PackageResources.report_changes_sql),
    SQLFile("report_roll_forward", PackageResources.report_roll_forward_sql),
    reportRestatement,
    SQLFile("report_inputs", PackageResources.report_inputs_sql),
  ]

  /// How ended months differ from what was last published about them.
  public static let reportRestatement = SQLFile(
    "report_restatement", PackageResources.report_restatement_sql)

  /// The queries for index.html.
  public static let page = [
    pageHead, pageNight, pageCount, pageOpen, pageChange, pageGap, pageRisk, pageCoverage,
    pageRevenue, pageApple, pageWorst, pageAcknowledged, pageCalendar, pagePack, pageCompared,
    pageUnreadFile, pageStaleFeed, pageCause, pageLostRegion,
  ]
  /// The night itself, in words.
  public static let pageHead = SQLFile("page_head", PackageResources.page_head_sql)
  /// The thirty days up to the night, with the state of the night of each day.
  public static let pageNight = SQLFile("page_night", PackageResources.page_night_sql)
  /// The counts of each of these days.
  public static let pageCount = SQLFile("page_count", PackageResources.page_count_sql)
  /// The findings of the night, by rule and level.
  public static let pageOpen = SQLFile("page_open", PackageResources.page_open_sql)
  /// The findings that were opened, resolved and reopened.
  public static let pageChange = SQLFile("page_change", PackageResources.page_change_sql)
  /// The missing deliveries, by hour of the purchase and server.
  public static let pageGap = SQLFile("page_gap", PackageResources.page_gap_sql)
  /// What missing deliveries cost, by currency and days overdue.
  public static let pageRisk = SQLFile("page_risk", PackageResources.page_risk_sql)
  /// The sales by the source of their amounts, by month and currency.
  public static let pageCoverage = SQLFile("page_coverage", PackageResources.page_coverage_sql)
  /// Revenue by day and currency.
  public static let pageRevenue = SQLFile("page_revenue", PackageResources.page_revenue_sql)
  /// The sums of tie_out.csv, by report and period.
  public static let pageApple = SQLFile("page_apple", PackageResources.page_apple_sql)
  /// The ten worst findings of each rule and level.
  public static let pageWorst = SQLFile("page_worst", PackageResources.page_worst_sql)
  /// The acknowledged findings.
  public static let pageAcknowledged = SQLFile(
    "page_acknowledged", PackageResources.page_acknowledged_sql)
  /// The nights of the calendar in the reports folder.
  public static let pageCalendar = SQLFile("page_calendar", PackageResources.page_calendar_sql)

  /// The packs of the closed periods, by month.
  public static let pagePack = SQLFile("page_pack", PackageResources.page_pack_sql)

  /// What reconciliation.xlsx says about the night.
  public static let workbookHead = SQLFile("workbook_head", PackageResources.workbook_head_sql)
  /// The deliveries that were due, and what was not compared.
  public static let workbookObligation = SQLFile(
    "workbook_obligation", PackageResources.workbook_obligation_sql)
  /// The totals by month and currency.
  public static let workbookMonth = SQLFile("workbook_month", PackageResources.workbook_month_sql)
}
