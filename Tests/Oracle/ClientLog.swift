/// What apps wrote down and sent in.
public struct ClientLog: Sendable {
  /// Entries of payment queues.
  public var entries: [QueueEntry] = []
  /// Reports of identifiers that the App Store called invalid.
  public var reports: [InvalidReport] = []

  /// Makes a log of nothing.
  public init() {}
}

/// One entry of an app's payment queue.
public struct QueueEntry: Sendable {
  /// What became of it.
  public enum State: String, CaseIterable, Sendable {
    /// The customer paid, says the device.
    case purchased
    /// The customer had paid before, says the device.
    case restored
    /// Nothing came of it.
    case failed
    /// Somebody has to allow it first.
    case deferred
  }

  /// The transaction, where there is one.
  public var transactionID: String?
  /// The transaction that was restored.
  public var originalTransactionID: String?
  /// What it was about.
  public var productID: String
  /// What became of it.
  public var state: State
  /// When the device saw it.
  public var date: Instant
  /// Who was signed in.
  public var accountID: String?
  /// The device.
  public var deviceID: String?
  /// The app's version.
  public var appVersion: String?
  /// The environment, where the app knew it.
  public var environment: String?
  /// How far ahead of Greenwich the device's clock is written.
  public var offsetHours = 0

  /// Makes an entry that says only what every entry must.
  public init(transactionID: String?, productID: String, state: State, date: Instant) {
    self.transactionID = transactionID
    self.productID = productID
    self.state = state
    self.date = date
  }
}

/// One report of an identifier that the App Store called invalid.
public struct InvalidReport: Sendable {
  /// The identifier.
  public var productID: String
  /// When the app was told.
  public var reportedAt: Instant
  /// The app's version.
  public var appVersion: String?
  /// Who was signed in.
  public var accountID: String?
  /// The device.
  public var deviceID: String?
}

/// A record that can be a row below a header or a line of NDJSON.
protocol LogRecord {
  static var columns: [String] { get }
  /// In the order of the columns, nil where it has none.
  var csvFields: [String?] { get }
  var json: String { get }
}

extension LogRecord {
  var json: String {
    let members = zip(Self.columns, csvFields).compactMap { name, value in
      value.map { (name: name, value: JSONText.string($0)) }
    }
    return JSONText.object(members).text
  }
}

extension DeliveryRecord: LogRecord {}

extension QueueEntry: LogRecord {
  static let columns = [
    "transaction_id", "original_transaction_id", "product_id", "state", "transaction_date",
    "account_id", "device_id", "app_version", "environment",
  ]

  var csvFields: [String?] {
    [
      transactionID, originalTransactionID, productID, state.rawValue,
      date.rfc3339(offsetHours: offsetHours), accountID, deviceID, appVersion, environment,
    ]
  }
}

extension InvalidReport: LogRecord {
  static let columns = ["product_id", "reported_at", "app_version", "account_id", "device_id"]

  var csvFields: [String?] {
    [productID, reportedAt.rfc3339, appVersion, accountID, deviceID]
  }
}
