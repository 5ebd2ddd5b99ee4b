/// What the content server wrote down of one attempt to deliver.
public struct DeliveryRecord: Sendable {
  /// How the attempt ended; in one second the first of them stands.
  public enum Status: String, CaseIterable, Sendable {
    /// The customer has it.
    case delivered
    /// The customer does not have it.
    case failed
    /// Nobody knows yet.
    case pending
  }

  /// The attempt.
  public var deliveryID: String
  /// The transaction that was presented for it.
  public var transactionID: String
  /// What was handed over.
  public var productID: String
  /// How it ended.
  public var status: Status
  /// When it happened.
  public var occurredAt: Instant
  /// The environment, where the server knew it.
  public var environment: String?
  /// The purchase behind the transaction, where the server knew it.
  public var originalTransactionID: String?
  /// The subscription's period, where the server knew it.
  public var webOrderLineItemID: String?
  /// Who asked.
  public var accountID: String?
  /// The device that asked.
  public var deviceID: String?
  /// The server that answered.
  public var server: String?
  /// The server's region.
  public var region: String?
  /// The version of the app that asked.
  public var appVersion: String?
  /// What went wrong.
  public var error: String?
  /// How much was handed over.
  public var bytes: Int?
  /// How far ahead of Greenwich the clock of the server's log is.
  public var offsetHours = 0

  /// Makes a record that says only what every record must.
  public init(
    deliveryID: String, transactionID: String, productID: String, status: Status,
    occurredAt: Instant
  ) {
    self.deliveryID = deliveryID
    self.transactionID = transactionID
    self.productID = productID
    self.status = status
    self.occurredAt = occurredAt
  }

  /// The names of the columns, in the order of `csvFields`.
  public static let columns = [
    "delivery_id", "transaction_id", "product_id", "status", "occurred_at", "environment",
    "original_transaction_id", "web_order_line_item_id", "account_id", "device_id", "server",
    "region", "app_version", "error", "bytes",
  ]

  /// The header row of a file with all columns, without the line end.
  public static let csvHeader = columns.joined(separator: ",")

  /// The record's values, nil where it has none.
  public var csvFields: [String?] {
    [
      deliveryID, transactionID, productID, status.rawValue,
      occurredAt.rfc3339(offsetHours: offsetHours), environment, originalTransactionID,
      webOrderLineItemID, accountID, deviceID, server, region, appVersion, error,
      bytes.map { String($0) },
    ]
  }

  /// The record as one row under `csvHeader`, without the line end.
  public var csv: String {
    csvFields.map { quotedForCSV($0 ?? "") }.joined(separator: ",")
  }

  /// The record as one line of NDJSON, without the line end.
  public var json: String {
    let members = zip(Self.columns, csvFields).compactMap { name, value in
      value.map { (name: name, value: name == "bytes" ? JSONText.bare($0) : .string($0)) }
    }
    return JSONText.object(members).text
  }
}
