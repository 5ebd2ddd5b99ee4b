extension Setting {
  /// Every setting, in the order of docs/configuration.md.
  package static let all = places + run + meanings + people + asking + limits

  private static let places = [
    Setting(
      "inbox", \.inbox, .folder, option: "--inbox", example: "/srv/store/inbox",
      meaning: "The folder with receipts/, deliveries/, catalog/, client/, acknowledgements/ and "
        + "apple/, searched recursively."
    ),
    Setting(
      "reports", \.reports, .folder, option: "--reports", example: "/srv/store/reports",
      meaning: "The folder for the reports; each as-of day gets a folder in it."),
    Setting(
      "database", \.database, .connection, option: "--database", mayHoldSecret: true,
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
      meaning: "The instant that the run speaks about; what happened after it is not considered."),
    Setting(
      "allow_future", \.allowFuture, .yesOrNo, option: "--allow-future", example: "true",
      meaning: "Accept an as-of, books_begin or revenue_since in the future."),
    Setting(
      "fail_on", \.failOn, .oneOfCases(), option: "--fail-on", example: "error",
      meaning:
        "Exit with status 1 if a finding of this level or higher is open; new-…: opened or reopened in this run."
    ),
    Setting(
      "max_rejected", \.maxRejected, .rejectionLimit, option: "--max-rejected",
      unset: "no limit", example: "2.5%",
      meaning:
        "The maximum number of rejections in one run. With more, nothing is loaded or published."
    ),
    Setting(
      "dry_run", \.dryRun, .yesOrNo, option: "--dry-run", example: "true",
      meaning: "Do everything and print the summary, but store and publish nothing."),
    Setting(
      "quiet", \.quiet, .yesOrNo, option: "--quiet", example: "true",
      meaning:
        "Print nothing if the exit status is 0, otherwise at most ten lines on standard error."),
    Setting(
      "workbook", \.workbook, .yesOrNo, example: "false",
      meaning: "Write reconciliation.xlsx, the statements as a workbook, beside the CSV files."),
    Setting(
      "single_signer", \.singleSigner, .yesOrNo, example: "true",
      meaning: "Let the person who closed a period approve it; the certificate says so."),
    Setting(
      "metrics_file", \.metricsFile, .file, option: "--metrics-file", unset: "no file is written",
      example: "/var/lib/prometheus/node-exporter/tieout.prom",
      meaning: "The file for metrics of the run, in the format of Prometheus' textfile collector."),
    Setting(
      "anchor", \.anchor, .file, option: "--anchor", unset: "no file is written",
      example: "/mnt/audit/tieout-heads.txt",
      meaning: "The file, best on another machine, to which each night appends the head of its "
        + "chain of manifests."),
    Setting(
      "log_level", \.logLevel,
      .oneOf(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
      option: "--log-level", example: "info",
      meaning: "The lowest severity that is logged."),
    Setting(
      "log_format", \.logFormat, .oneOfCases(), option: "--log-format", example: "json",
      meaning: "The format of log lines: text for people, or one JSON object a line."),
    Setting(
      "log_file", \.logFile, .logFile, option: "--log-file",
      unset: "standard error; with quiet, no log is written",
      example: "/var/log/tieout/tieout.log",
      meaning: "The file to which run, recompute, rebuild, forget and refresh-receipts append "
        + "their log."),
    Setting(
      "ping_url", \.pingURL, .pingAddress, mayHoldSecret: true, unset: "no address is asked",
      example: "https://monitor.example.com/ping/tieout",
      meaning: "The address of a monitor to which each run reports its start and end."),
  ]

  private static let meanings = [
    Setting(
      "environments", \.environments, .environments, example: "[Production, Sandbox]",
      meaning: "The environments whose transactions and deliveries count."),
    Setting(
      "bundle_ids", \.bundleIDs, .bundleIDs, example: "[com.example.reader]",
      meaning:
        "Your bundle identifiers; a receipt for another bundle is rejected. Empty: every bundle is accepted."
    ),
    Setting(
      "trust", \.trust, .oneOfCases(), example: "signed",
      meaning:
        "Which evidence counts: only signed evidence, or also unsigned answers of verifyReceipt."),
    Setting(
      "trusted_roots", \.trustedRoots, .files, example: "[/etc/tieout/root.pem]",
      meaning: "Root certificates for signatures, instead of Apple's. Empty: Apple's."),
    Setting(
      "books_begin", \.booksBegin, .instant, unset: "the earliest delivery known",
      example: "2026-11-01T00:00:00Z",
      meaning:
        "Purchases before this instant owe no delivery; deliveries before it need no purchase."),
    Setting(
      "revenue_since", \.revenueSince, .day,
      unset: "the first day of the month before as-of's month",
      example: "2026-10-01",
      meaning: "The first day in revenue.csv."),
    Setting(
      "time_zone", \.timeZone, .timeZone, example: "America/New_York",
      meaning: "The time zone of the days in the reports."),
    Setting(
      "grace_hours", \.graceHours, .wholeNumber(0...87_600), example: "48",
      meaning: "The grace period in hours, for products without one in the catalogue."),
    Setting(
      "restores_allowed", \.restoresAllowed, .wholeNumber(0...1_000_000), example: "3",
      meaning:
        "The number of restored transactions that a family may have, "
        + "or as many as it has devices, if that is more."
    ),
    Setting(
      "restore_window", \.restoreWindowDays, .days(0...36_500), example: "90d",
      meaning:
        "The number of days that duplicate_restore and automatic_restore look back for restores. 0: no limit."
    ),
    Setting(
      "accounts_allowed", \.accountsAllowed, .wholeNumber(1...1_000_000), example: "2",
      meaning: "The number of accounts that may present one family."),
    Setting(
      "stale_after", \.staleAfterHours, .wholeNumber(24...8760), example: "60",
      meaning:
        "The least number of hours without a new record after which a feed that usually brings "
        + "records is a stale_feed; a feed with longer pauses gets more time."
    ),
    Setting(
      "materiality", \.materiality, .materiality, example: "{units: 5, USD: 10.00}",
      meaning:
        "Differences of tie_out.csv and changes of an approved period that are smaller than this "
        + "are not findings. Not set: one unit, or the smallest unit of the currency; and every "
        + "change of a period is a finding."
    ),
    Setting(
      "assume_storefront", \.assumeStorefront, .storefront, unset: "no storefront is assumed",
      example: "USA",
      meaning: "The storefront whose list prices apply if evidence names no storefront."),
    Setting(
      "delivery_columns", \.deliveryColumns, .deliveryColumns,
      example: "{delivery_id: attempt, server: host}",
      meaning: "Names of delivery columns in your delivery files, if they differ."),
    Setting(
      "receipt_columns", \.receiptColumns, .receiptColumns,
      example: "{account_id: user_id, received_at: created_at}",
      meaning: "Names of columns beside receipts in tables of receipts, if they differ."),
  ]

  private static let people = [
    Setting(
      "privacy", \.privacy, .oneOfCases(), example: "hash",
      meaning: "How names of accounts and devices are stored: unchanged, or hashed with a key."),
    Setting(
      "privacy_key_file", \.privacyKeyFile, .file, unset: "no key",
      example: "/etc/tieout/privacy-key",
      meaning: "The file with the key of the setting privacy (value hash). It must contain "
        + "nothing else."),
  ]

  private static let asking = [
    Setting(
      "catalogue_urls", \.catalogueURLs, .addresses, mayHoldSecret: true,
      example: "[https://www.example.com/products.json]",
      meaning: "Addresses of catalogues; each run fetches changed catalogues into the inbox."),
    Setting(
      "refresh_after", \.refreshAfterHours, .wholeNumber(0...87_600), example: "24",
      meaning: "Hours after which refresh-receipts asks Apple about a receipt again. 0: always."),
    Setting(
      "refresh_per_second", \.refreshPerSecond, .wholeNumber(1...1000), example: "2",
      meaning: "The maximum number of questions that refresh-receipts sends in a second."),
    Setting(
      "verify_receipt_url", \.verifyReceiptURL, .secretAddress, mayHoldSecret: true,
      example: "https://receipts.example.com/verifyReceipt",
      meaning: "The address that refresh-receipts asks first."),
    Setting(
      "verify_receipt_sandbox_url", \.verifyReceiptSandboxURL, .secretAddress,
      mayHoldSecret: true,
      example: "https://receipts.example.com/sandbox/verifyReceipt",
      meaning: "The address that refresh-receipts asks about sandbox receipts."),
    Setting(
      "shared_secret_file", \.sharedSecretFile, .file,
      unset: "TIEOUT_SHARED_SECRET, or no secret", example: "/etc/tieout/shared-secret",
      meaning: "The file that contains only the app's shared secret."),
  ]

  private static let limits = [
    Setting(
      "document_limit", \.documentLimitBytes, .size(1 << 10...1 << 30), example: "64MB",
      meaning: "The largest document, line or CSV record; a larger one is rejected."),
    Setting(
      "rejection_limit", \.rejectionLimitBytes, .size(0...16 << 20), example: "4kB",
      meaning:
        "The part that the database keeps of the first hundred rejected records of each reason."),
    Setting(
      "rejections_kept", \.rejectionsKept, .wholeNumber(0...10_000_000), example: "100000",
      meaning:
        "The maximum number of rejections of one run that the database keeps; it counts the others by file and reason."
    ),
    Setting(
      "keep_closed_days", \.keepClosedDays, .wholeNumber(0...36_500), example: "400",
      meaning:
        "Days after which resolved findings, rejections, hashes of documents and durations of steps are dropped. 0: never."
    ),
    Setting(
      "load_connections", \.loadConnections, .wholeNumber(1...8), example: "4",
      meaning: "The number of connections that load at the same time."),
    Setting(
      "max_coordinator_rows", \.maxCoordinatorRows, .wholeNumber(0...1_000_000_000_000),
      example: "20000000",
      meaning:
        "On a cluster: the maximum number of records that one run judges on the coordinator. 0: no limit."
    ),
  ]
}
