extension Setting {
  /// Every setting, in the order of docs/configuration.md.
  package static let all = places + run + meanings + people + asking + limits

  private static let places = [
    Setting("inbox", \.inbox, .folder, option: "--inbox"),
    Setting("reports", \.reports, .folder, option: "--reports"),
    Setting(
      "database", optional: \.database, .connection, option: "--database", mayHoldSecret: true),
    Setting("state_directory", optional: \.stateDirectory, .folder),
    Setting("postgres_programs", optional: \.postgresPrograms, .folder),
  ]

  private static let run = [
    Setting("as_of", optional: \.asOf, .instant, option: "--as-of"),
    Setting("allow_future", \.allowFuture, .yesOrNo, option: "--allow-future"),
    Setting("fail_on", \.failOn, .oneOfCases(), option: "--fail-on"),
    Setting("max_rejected", optional: \.maxRejected, .rejectionLimit, option: "--max-rejected"),
    Setting("dry_run", \.dryRun, .yesOrNo, option: "--dry-run"),
    Setting("quiet", \.quiet, .yesOrNo, option: "--quiet"),
    Setting("workbook", \.workbook, .yesOrNo),
    Setting("single_signer", \.singleSigner, .yesOrNo),
    Setting("metrics_file", optional: \.metricsFile, .file, option: "--metrics-file"),
    Setting("anchor", optional: \.anchor, .file, option: "--anchor"),
    Setting(
      "log_level", \.logLevel,
      .oneOf(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
      option: "--log-level"),
    Setting("log_format", \.logFormat, .oneOfCases(), option: "--log-format"),
    Setting("log_file", optional: \.logFile, .logFile, option: "--log-file"),
    Setting("ping_url", optional: \.pingURL, .pingAddress, mayHoldSecret: true),
  ]

  private static let meanings = [
    Setting("environments", \.environments, .environments),
    Setting("bundle_ids", \.bundleIDs, .bundleIDs),
    Setting("trust", \.trust, .oneOfCases()),
    Setting("trusted_roots", \.trustedRoots, .files),
    Setting("books_begin", optional: \.booksBegin, .instant),
    Setting("revenue_since", optional: \.revenueSince, .day),
    Setting("time_zone", \.timeZone, .timeZone),
    Setting("grace_hours", \.graceHours, .wholeNumber(0...87_600)),
    Setting("restores_allowed", \.restoresAllowed, .wholeNumber(0...1_000_000)),
    Setting("restore_window", \.restoreWindowDays, .days(0...36_500)),
    Setting("accounts_allowed", \.accountsAllowed, .wholeNumber(1...1_000_000)),
    Setting("stale_after", \.staleAfterHours, .wholeNumber(24...8760)),
    Setting("materiality", \.materiality, .materiality),
    Setting("assume_storefront", optional: \.assumeStorefront, .storefront),
    Setting("delivery_columns", \.deliveryColumns, .deliveryColumns),
    Setting("receipt_columns", \.receiptColumns, .receiptColumns),
  ]

  private static let people = [
    Setting("privacy", \.privacy, .oneOfCases()),
    Setting("privacy_key_file", optional: \.privacyKeyFile, .file),
  ]

  private static let asking = [
    Setting("catalogue_urls", \.catalogueURLs, .addresses, mayHoldSecret: true),
    Setting("refresh_after", \.refreshAfterHours, .wholeNumber(0...87_600)),
    Setting("refresh_per_second", \.refreshPerSecond, .wholeNumber(1...1000)),
    Setting("verify_receipt_url", \.verifyReceiptURL, .secretAddress, mayHoldSecret: true),
    Setting(
      "verify_receipt_sandbox_url", \.verifyReceiptSandboxURL, .secretAddress, mayHoldSecret: true),
    Setting("shared_secret_file", optional: \.sharedSecretFile, .file),
  ]

  private static let limits = [
    Setting("document_limit", \.documentLimitBytes, .size(1 << 10...1 << 30)),
    Setting("rejection_limit", \.rejectionLimitBytes, .size(0...16 << 20)),
    Setting("rejections_kept", \.rejectionsKept, .wholeNumber(0...10_000_000)),
    Setting("keep_closed_days", \.keepClosedDays, .days(0...36_500)),
    Setting("load_connections", \.loadConnections, .wholeNumber(1...8)),
    Setting("max_coordinator_rows", \.maxCoordinatorRows, .wholeNumber(0...1_000_000_000_000)),
  ]
}
