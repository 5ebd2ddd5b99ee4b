extension Setting {
  /// Every setting, in the order in which people meet them.
  public static let all = places + run + meanings + people + asking + limits

  private static let places = [
    Setting(
      "inbox", \.inbox, .folder, option: "--inbox", example: "/srv/store/inbox",
      meaning: "The folder with receipts/, deliveries/, catalog/, client/ and acknowledgements/, "
        + "searched recursively."
    ),
    Setting(
      "reports", \.reports, .folder, option: "--reports", example: "/srv/store/reports",
      meaning: "The folder in which each as-of day gets a folder of reports."),
    Setting(
      "database", \.database, .connection, option: "--database",
      unset: "libpq's own environment (PGHOST, PGSERVICE, …) or, with none, the private server",
      example: "postgresql://tieout@db.example.com/tieout",
      meaning: "The PostgreSQL database that keeps the ledger, as a libpq connection string."),
    Setting(
      "state_directory", \.stateDirectory, .folder,
      unset: "/var/lib/tieout for root, else the user's state directory",
      example: "/var/lib/tieout",
      meaning: "The folder in which the private server keeps its data."),
    Setting(
      "postgres_programs", \.postgresPrograms, .folder,
      unset: "found where PostgreSQL is installed",
      example: "/usr/lib/postgresql/15/bin",
      meaning: "The folder of the server programs (initdb, pg_ctl) for the private server."),
  ]

  private static let run = [
    Setting(
      "as_of", \.asOf, .instant, option: "--as-of", unset: "now",
      example: "2026-11-19T03:04:05Z",
      meaning: "The instant the run speaks about; what happened after it is not considered."),
    Setting(
      "fail_on", \.failOn, .oneOfCases(), option: "--fail-on", example: "error",
      meaning:
        "Exit with status 1 if a finding of at least this level is open, or new, and not acknowledged."
    ),
    Setting(
      "max_rejected", \.maxRejected, .rejectionLimit, option: "--max-rejected",
      unset: "no limit", example: "2.5%",
      meaning: "More rejections than this in one run: nothing is loaded, nothing published."),
    Setting(
      "dry_run", \.dryRun, .yesOrNo, option: "--dry-run", example: "true",
      meaning: "Do everything and print the summary, but keep and publish nothing."),
    Setting(
      "quiet", \.quiet, .yesOrNo, option: "--quiet", example: "true",
      meaning: "Print no summary."),
    Setting(
      "workbook", \.workbook, .yesOrNo, example: "false",
      meaning: "Write reconciliation.xlsx, the statements as a spreadsheet, beside the CSV files."),
    Setting(
      "metrics_file", \.metricsFile, .file, option: "--metrics-file", unset: "none is written",
      example: "/var/lib/prometheus/node-exporter/tieout.prom",
      meaning: "The file that tells Prometheus of the run, for the textfile collector."),
    Setting(
      "log_level", \.logLevel,
      .oneOf(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
      option: "--log-level", example: "info",
      meaning: "The least severe message that is logged."),
    Setting(
      "log_format", \.logFormat, .oneOfCases(), option: "--log-format", example: "json",
      meaning: "How log lines are written: for people, or as one JSON object a line."),
  ]

  private static let meanings = [
    Setting(
      "environments", \.environments, .environments, example: "[Production, Sandbox]",
      meaning: "The environments whose transactions and deliveries count."),
    Setting(
      "bundle_ids", \.bundleIDs, .bundleIDs, example: "[com.example.reader]",
      meaning: "The bundles that are ours; a receipt for another is rejected. Empty: all are ours."),
    Setting(
      "trust", \.trust, .oneOfCases(), example: "signed",
      meaning: "What evidence counts: only what is signed, or unsigned answers of Apple's too."),
    Setting(
      "trusted_roots", \.trustedRoots, .files, example: "[/etc/tieout/root.pem]",
      meaning: "Certificates that signatures must lead to in place of Apple's. Empty: Apple's."),
    Setting(
      "books_begin", \.booksBegin, .instant, unset: "the earliest delivery known",
      example: "2026-11-01T00:00:00Z",
      meaning: "Purchases before this owe no delivery; deliveries before it need no purchase."),
    Setting(
      "revenue_since", \.revenueSince, .day,
      unset: "the first day of the month before as-of's month",
      example: "2026-10-01",
      meaning: "The first day that revenue.csv tells of."),
    Setting(
      "time_zone", \.timeZone, .timeZone, example: "America/New_York",
      meaning: "The time zone whose days the reports speak of."),
    Setting(
      "grace_hours", \.graceHours, .wholeNumber(0...87_600), example: "48",
      meaning: "Hours that a delivery may take where the catalogue says nothing of the product."),
    Setting(
      "restores_allowed", \.restoresAllowed, .wholeNumber(0...1_000_000), example: "3",
      meaning: "Restored transactions of one family that are nothing unusual."),
    Setting(
      "restore_window", \.restoreWindowDays, .days(0...36_500), example: "90d",
      meaning: "Days after a family's last restore in which duplicate_restore holds. 0: for ever."),
    Setting(
      "accounts_allowed", \.accountsAllowed, .wholeNumber(1...1_000_000), example: "2",
      meaning: "Accounts that one family may carry before it is a shared_purchase."),
    Setting(
      "assume_storefront", \.assumeStorefront, .storefront, unset: "none is assumed",
      example: "USA",
      meaning: "The storefront whose catalogue prices hold where evidence names no storefront."),
    Setting(
      "delivery_columns", \.deliveryColumns, .deliveryColumns,
      example: "{delivery_id: attempt, server: host}",
      meaning: "Delivery columns that have another name in the delivery files."),
  ]

  private static let people = [
    Setting(
      "privacy", \.privacy, .oneOfCases(), example: "hash",
      meaning: "How names of accounts and devices are kept: as they came, or hashed with a key."),
    Setting(
      "privacy_key_file", \.privacyKeyFile, .file, unset: "no key, as for none",
      example: "/etc/tieout/privacy-key",
      meaning: "The file that holds the key for privacy: hash, and nothing else."),
  ]

  private static let asking = [
    Setting(
      "catalogue_urls", \.catalogueAddresses, .addresses,
      example: "[https://www.example.com/products.json]",
      meaning: "Addresses of catalogues; each run fetches what has changed there into the inbox."),
    Setting(
      "refresh_after", \.refreshAfterHours, .wholeNumber(0...87_600), example: "24",
      meaning: "Hours after which refresh-receipts asks Apple about a receipt again. 0: always."),
    Setting(
      "refresh_per_second", \.refreshPerSecond, .wholeNumber(1...1000), example: "2",
      meaning: "How many questions refresh-receipts asks in a second at most."),
    Setting(
      "verify_receipt_url", \.verifyReceiptAddress, .secretAddress,
      example: "https://receipts.example.com/verifyReceipt",
      meaning: "Where refresh-receipts asks first."),
    Setting(
      "verify_receipt_sandbox_url", \.verifyReceiptSandboxAddress, .secretAddress,
      example: "https://receipts.example.com/sandbox/verifyReceipt",
      meaning: "Where refresh-receipts asks about a receipt from the sandbox."),
    Setting(
      "shared_secret_file", \.sharedSecretFile, .file,
      unset: "TIEOUT_SHARED_SECRET, or no secret", example: "/etc/tieout/shared-secret",
      meaning: "The file that holds the app's shared secret and nothing else."),
  ]

  private static let limits = [
    Setting(
      "document_limit", \.documentLimitBytes, .size(1 << 10...1 << 30), example: "64MB",
      meaning: "The largest document, line or CSV record; a larger one is rejected."),
    Setting(
      "rejection_limit", \.rejectionLimitBytes, .size(0...16 << 20), example: "4kB",
      meaning: "How much of a rejected record the database keeps."),
    Setting(
      "keep_closed_days", \.keepClosedDays, .wholeNumber(0...36_500), example: "400",
      meaning:
        "Days after which resolved findings, old rejections and the like are dropped. 0: never."),
    Setting(
      "load_connections", \.loadConnections, .wholeNumber(1...8), example: "4",
      meaning: "How many connections load at once."),
  ]
}
