/// One record of the content server about one attempt to deliver.
public struct DeliveryRecord: Sendable {
  /// The status of an attempt; of several in one second, the first one in this list counts.
  public enum Status: String, CaseIterable, Sendable {
    /// The product was delivered.
    case delivered
    /// The delivery failed.
    case failed
    /// The result is not known yet.
    case pending
  }

  /// The id of the attempt.
  public var deliveryID: String
  /// The transaction for which the product was requested.
  public var transactionID: String
  /// The product.
  public var productID: String
  /// The status.
  public var status: Status
  /// The time of the record.
  public var occurredAt: Instant
  /// The environment, if the server knew it.
  public var environment: String?
  /// The original transaction, if the server knew it.
  public var originalTransactionID: String?
  /// The web order line item (the period of a subscription), if the server knew it.
  public var webOrderLineItemID: String?
  /// The account that asked for it.
  public var accountID: String?
  /// The device that asked for it.
  public var deviceID: String?
  /// The server that answered.
  public var server: String?
  /// The region of the server.
  public var region: String?
  /// The version of the app that asked for it.
  public var appVersion: String?
  /// The error message.
  public var error: String?
  /// The number of delivered bytes.
  public var bytes: Int?
  /// The revision of the record; if missing, 0.
  public var revision: Int?
  /// The offset of the server's clock from UTC, in hours.
  public var offsetHours = 0

  /// Makes a record with only the values that every record must have.
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
    "region", "app_version", "error", "bytes", "revision",
  ]

  private static let numbers: Set = ["bytes", "revision"]

  /// The values of the record; nil for a missing value.
  public var csvFields: [String?] {
    [
      deliveryID, transactionID, productID, status.rawValue,
      occurredAt.rfc3339(offsetHours: offsetHours), environment, originalTransactionID,
      webOrderLineItemID, accountID, deviceID, server, region, appVersion, error,
      bytes.map { String($0) }, revision.map { String($0) },
    ]
  }

  /// The record as one row of CSV in the order of `columns`, without the line end.
  public var csv: String {
    csvFields.map { quotedForCSV($0 ?? "") }.joined(separator: ",")
  }

  /// The record as one line of NDJSON, without the line end.
  public var json: String {
    let members = zip(Self.columns, csvFields).compactMap { name, value in
      value.map {
        (name: name, value: Self.numbers.contains(name) ? JSONText.bare($0) : .string($0))
      }
    }
    return JSONText.object(members).text
  }
}
