/// All settings of a run, with their default values.
///
/// The names are those of `tieout.yaml`; see `docs/configuration.md`.
public struct Settings: Sendable, Equatable {
  // MARK: Locations

  /// The folder with `receipts/`, `deliveries/`, `catalog/`, `client/`, `acknowledgements/` and
  /// `apple/`.
  package var inbox = "inbox"
  /// The folder in which each as-of day gets a folder of its own.
  package var reports = "reports"
  /// A libpq connection string; nil: libpq's own environment, or else the private server.
  package var database: String?
  /// The folder in which the private server keeps its data; nil: `/var/lib/tieout` for root, else
  /// the user's state directory.
  package var stateDirectory: String?
  /// The folder of PostgreSQL's server programs; nil: the program looks for it.
  package var postgresPrograms: String?

  // MARK: The run

  /// The as-of instant of the run, as RFC 3339; nil: now.
  package var asOf: String?
  /// Whether `asOf`, `booksBegin` and `revenueSince` may be later than the clock.
  package var allowFuture = false
  /// The level from which an open finding, or a new one, makes the exit status 1.
  package var failOn = FailOn.never
  /// The limit of rejections: with more, nothing is loaded or published; nil: no limit.
  package var maxRejected: RejectionLimit?
  /// Whether the run is a dry run, which does everything but keeps and publishes nothing.
  package var dryRun = false
  /// Whether nothing is printed, except a short message if the exit status is not 0.
  package var quiet = false
  /// Whether `reconciliation.xlsx` is written next to the CSV files.
  package var workbook = true
  /// Whether one person alone may close and approve a period.
  package var singleSigner = false
  /// The file for Prometheus with the numbers of the run; nil: none is written.
  package var metricsFile: String?
  /// The file to which the heads of the chain of manifests are appended; nil: none.
  package var anchor: String?
  /// The least severe message that is logged: trace, debug, info, notice, warning, error, critical.
  package var logLevel = "notice"
  /// How log lines are written.
  package var logFormat = LogFormat.plain
  /// The file to which log lines are appended, or `-` for standard error; nil: standard error,
  /// or nothing with `quiet`.
  package var logFile: String?
  /// The http or https address of a monitor, which gets a request at the start and at the end of a
  /// night; nil: none.
  package var pingURL: String?

  // MARK: Meaning of the data

  /// The environments whose transactions count.
  package var environments = ["Production"]
  /// The bundle identifiers of our own apps; empty: all apps count.
  package var bundleIDs: [String] = []
  /// The evidence that counts: only signed evidence, or also unsigned answers of `verifyReceipt`.
  package var trust = Trust.appleResponse
  /// Files of trusted root certificates instead of Apple's; empty: Apple's.
  package var trustedRoots: [String] = []
  /// When the books begin, as RFC 3339; nil: at the earliest delivery.
  package var booksBegin: String?
  /// The first day in `revenue.csv`, as YYYY-MM-DD; nil: the first day of the month before as-of's.
  package var revenueSince: String?
  /// The time zone of the days in the reports, by its IANA name.
  package var timeZone = "UTC"
  /// The grace period in hours for products without one in the catalogue; 0 to 87,600.
  package var graceHours = 24
  /// The number of restored transactions that a family may have; 0 to 1,000,000.
  package var restoresAllowed = 1
  /// Days for which a family's last restore keeps `duplicate_restore` open, at most 36,500; 0:
  /// permanently.
  package var restoreWindowDays = 30
  /// The number of hours without a new record after which a feed is stale; 24 to 8760.
  package var staleAfterHours = 36
  /// The units and the amounts by currency from which an unexplained difference, or a change of an
  /// approved period, is a finding.
  package var materiality: [String: String] = [:]
  /// The number of accounts that one family may have; 1 to 1,000,000.
  package var accountsAllowed = 1
  /// The storefront (ISO 3166 alpha-3) of evidence that names none; nil: none.
  package var assumeStorefront: String?
  /// The names that the delivery files use, by delivery column (docs/inbox.md).
  package var deliveryColumns: [String: String] = [:]
  /// The names that the files use, by column of a table with receipts (docs/inbox.md).
  package var receiptColumns: [String: String] = [:]

  // MARK: Privacy

  /// The way in which names of accounts and devices are kept.
  package var privacy = Privacy.none
  /// The file with the key for hashing these names; nil: there is none.
  package var privacyKeyFile: String?

  // MARK: Asking

  /// The http and https addresses of catalogues, fetched by each run.
  package var catalogueURLs: [String] = []
  /// Hours after which Apple is asked again about a receipt, at most 87,600; 0: always.
  package var refreshAfterHours = 168
  /// The maximum number of requests about receipts per second; 1 to 1000.
  package var refreshPerSecond = 5
  /// The address that is asked first about a receipt.
  package var verifyReceiptURL = "https://buy.itunes.apple.com/verifyReceipt"
  /// The address that is asked about receipts of the sandbox.
  package var verifyReceiptSandboxURL = "https://sandbox.itunes.apple.com/verifyReceipt"
  /// The file that contains only the app's shared secret; nil: there is none.
  package var sharedSecretFile: String?

  // MARK: Limits

  /// The largest document, line or CSV record in bytes; 1 kB to 1 GB.
  package var documentLimitBytes = 16 << 20
  /// The maximum size of the part of a rejected record that the database keeps, in bytes; 0 to
  /// 16 MB.
  package var rejectionLimitBytes = 64 << 10
  /// The maximum number of rejections of one run that the database keeps; it counts the others; 0
  /// to 10,000,000.
  package var rejectionsKept = 20_000
  /// Days after which resolved findings, rejections, hashes of documents and durations of steps are
  /// dropped, at most 36,500; 0: never.
  package var keepClosedDays = 0
  /// The number of connections that load at once; 1 to 8.
  package var loadConnections = 2
  /// The maximum number of rows of a distributed ledger that one run judges on the coordinator, at
  /// most 1,000,000,000,000; 0: no limit.
  package var maxCoordinatorRows = 0

  /// The keys of the settings that the command line gave.
  ///
  /// A mistake in one of them is a usage error (exit status 64), not a configuration error (78).
  package internal(set) var onCommandLine: Set<String> = []

  /// The default settings.
  package init() {}
}

/// The level from which a finding that is open and not acknowledged makes the exit status 1.
package enum FailOn: String, Sendable, CaseIterable {
  /// Any open finding.
  case info
  /// A warning or an error.
  case warning
  /// An error.
  case error
  /// A warning or an error that opened or reopened in this run.
  case newWarning = "new-warning"
  /// An error that opened or reopened in this run.
  case newError = "new-error"
  /// No finding.
  case never

  /// Whether only findings that opened or reopened in this run count.
  package var isOfNew: Bool { self == .newWarning || self == .newError }
}

/// The evidence that counts.
package enum Trust: String, Sendable, CaseIterable {
  /// Only what Apple signed.
  case signed
  /// Also unsigned answers of `verifyReceipt`, which the company has archived.
  case appleResponse = "apple_response"
}

/// The way in which names of accounts and devices are kept.
package enum Privacy: String, Sendable, CaseIterable {
  /// Unchanged.
  case none
  /// Hashed with a key.
  case hash
}

/// The form of log lines.
package enum LogFormat: String, Sendable, CaseIterable {
  /// For people.
  case plain
  /// One JSON object a line.
  case json
}

/// The number of records that one run may reject.
package enum RejectionLimit: Sendable, Equatable {
  /// At most this number of records.
  case count(Int)
  /// At most this part of all records read, in per cent; 0 to 100.
  case percent(Double)
}
