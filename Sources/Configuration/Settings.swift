/// Everything a night can be told, with the value that holds when nothing is said.
///
/// The names are those of `tieout.yaml`; see `docs/configuration.md`.
public struct Settings: Sendable, Equatable, Codable {
  // MARK: Where things are

  /// The folder with `receipts/`, `deliveries/`, `catalog/`, `client/` and `acknowledgements/`.
  public var inbox = "inbox"
  /// The folder in which each as-of day gets a folder of its own.
  public var reports = "reports"
  /// A libpq connection string; nil: libpq's own environment, or else the private server.
  public var database: String?
  /// Where the private server keeps its data; nil: `/var/lib/tieout` for root, else the user's state directory.
  public var stateDirectory: String?
  /// The folder of PostgreSQL's server programs; nil: found.
  public var postgresPrograms: String?

  // MARK: What the run does

  /// The instant the run speaks about, as RFC 3339; nil: now.
  public var asOf: String?
  /// From which level an open finding, or one of tonight's, makes the exit status 1.
  public var failOn = FailOn.never
  /// More rejections than this: nothing is loaded, nothing published; nil: no limit.
  public var maxRejected: RejectionLimit?
  /// Do everything, keep and publish nothing.
  public var dryRun = false
  /// Print no summary.
  public var quiet = false
  /// Write `reconciliation.xlsx` beside the CSV files.
  public var workbook = true
  /// The file that tells Prometheus of the run; nil: none is written.
  public var metricsFile: String?
  /// The least severe message that is logged: trace, debug, info, notice, warning, error, critical.
  public var logLevel = "notice"
  /// How log lines are written.
  public var logFormat = LogFormat.plain

  // MARK: What things mean

  /// The environments whose transactions count.
  public var environments = ["Production"]
  /// The bundles that are ours; empty: all.
  public var bundleIDs: [String] = []
  /// What evidence counts: only what is signed, or Apple's answers in an archive too.
  public var trust = Trust.appleResponse
  /// Files of certificates that trust begins with in place of Apple's; empty: Apple's.
  public var trustedRoots: [String] = []
  /// When the books begin, as RFC 3339; nil: at the earliest delivery.
  public var booksBegin: String?
  /// The first day that `revenue.csv` tells of, as YYYY-MM-DD; nil: the first day of the month before as-of's.
  public var revenueSince: String?
  /// The time zone whose days the reports speak of, by its IANA name.
  public var timeZone = "UTC"
  /// Hours that a delivery may take where the catalogue says nothing of the product; 0 or more.
  public var graceHours = 24
  /// Restores of one family that are nothing unusual; 0 or more.
  public var restoresAllowed = 1
  /// Days for which a family's last restore keeps `duplicate_restore` open; 0: for ever.
  public var restoreWindowDays = 30
  /// Accounts that one family may carry; 1 or more.
  public var accountsAllowed = 1
  /// The storefront (ISO 3166 alpha-3) of evidence that names none; nil: none.
  public var assumeStorefront: String?
  /// The delivery column (docs/inbox.md) by the name that the delivery files use.
  public var deliveryColumns: [String: String] = [:]
  /// The column of a table with receipts (docs/inbox.md) by the name that the files use.
  public var receiptColumns: [String: String] = [:]

  // MARK: Privacy

  /// How names of accounts and devices are kept.
  public var privacy = Privacy.none
  /// The file that holds the key they are hashed with; nil: there is none.
  public var privacyKeyFile: String?

  // MARK: Asking

  /// The http and https addresses of catalogues, fetched by each run.
  public var catalogueAddresses: [String] = []
  /// Hours after which Apple is asked again about a receipt; 0: always.
  public var refreshAfterHours = 168
  /// How many questions are asked in a second at most; 1 to 1000.
  public var refreshPerSecond = 5
  /// Where receipts are asked about first.
  public var verifyReceiptAddress = "https://buy.itunes.apple.com/verifyReceipt"
  /// Where receipts are asked about that are from the sandbox.
  public var verifyReceiptSandboxAddress = "https://sandbox.itunes.apple.com/verifyReceipt"
  /// The file that holds the app's shared secret and nothing else; nil: there is none.
  public var sharedSecretFile: String?

  // MARK: Limits

  /// The largest document, line or CSV record in bytes.
  public var documentLimitBytes = 16 << 20
  /// How much of a rejected record the database keeps, in bytes.
  public var rejectionLimitBytes = 64 << 10
  /// How many rejections of one run the database keeps; the others it counts.
  public var rejectionsKept = 20_000
  /// Days after which what is closed is dropped; 0: it is kept for ever.
  public var keepClosedDays = 0
  /// How many connections load at once; 1 to 8.
  public var loadConnections = 2

  /// The settings that hold when nothing is said.
  public init() {}
}

/// From which level on a finding that is open and not acknowledged makes the exit status 1.
public enum FailOn: String, Sendable, Codable, CaseIterable {
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
}

/// What evidence counts.
public enum Trust: String, Sendable, Codable, CaseIterable {
  /// Only what Apple signed.
  case signed
  /// Answers of `verifyReceipt` too, which an archive says Apple gave.
  case appleResponse = "apple_response"
}

/// How names of accounts and devices are kept.
public enum Privacy: String, Sendable, Codable, CaseIterable {
  /// As they came.
  case none
  /// Hashed with a key.
  case hash
}

/// How log lines are written.
public enum LogFormat: String, Sendable, Codable, CaseIterable {
  /// For people.
  case plain
  /// One JSON object a line.
  case json
}

/// How many records one run may reject.
public enum RejectionLimit: Sendable, Equatable, Codable {
  /// At most so many.
  case count(Int)
  /// At most this part of all records read, in per cent; 0 to 100.
  case percent(Double)
}
