/// The records that apps sent.
public struct ClientLog: Sendable {
  /// Entries of payment queues.
  public var entries: [QueueEntry] = []
  /// Reports of identifiers that the App Store called invalid.
  public var reports: [InvalidReport] = []

  /// Makes an empty log.
  public init() {}
}

/// One entry of an app's payment queue.
public struct QueueEntry: Sendable {
  /// The result.
  public enum State: String, CaseIterable, Sendable {
    /// The device reports that the customer paid.
    case purchased
    /// The device reports that the customer had paid before.
    case restored
    /// The purchase failed.
    case failed
    /// Another person must allow the purchase first.
    case deferred
  }

  /// The transaction, if there is one.
  public var transactionID: String?
  /// The transaction that was restored.
  public var originalTransactionID: String?
  /// The product.
  public var productID: String
  /// The result.
  public var state: State
  /// The time by the clock of the device.
  public var date: Instant
  /// The account that was signed in.
  public var accountID: String?
  /// The device.
  public var deviceID: String?
  /// The version of the app.
  public var appVersion: String?
  /// The environment, if the app knew it.
  public var environment: String?
  /// The offset of the device's clock from UTC, in hours.
  public var offsetHours = 0

  /// Makes an entry with only the values that every entry must have.
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
  /// The instant of the report.
  public var reportedAt: Instant
  /// The version of the app.
  public var appVersion: String?
  /// The account that was signed in.
  public var accountID: String?
  /// The device.
  public var deviceID: String?
}

/// A record that can be written as a CSV row or as a line of NDJSON.
protocol LogRecord {
  static var columns: [String] { get }
  /// The values in the order of the columns; nil for a missing value.
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
