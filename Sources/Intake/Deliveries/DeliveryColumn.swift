/// The columns of a delivery record, by the names that the documentation gives them.
package enum DeliveryColumn: String, Sendable, CaseIterable {
  /// The identifier of the delivery.
  case deliveryID = "delivery_id"
  /// The transaction that was presented for the delivery.
  case transactionID = "transaction_id"
  /// The product of the delivery.
  case productID = "product_id"
  /// The result of the delivery: delivered, failed or pending.
  case status
  /// When the delivery reached this status.
  case occurredAt = "occurred_at"
  /// The App Store's environment.
  case environment
  /// The original transaction, if the content server knows it.
  case originalTransactionID = "original_transaction_id"
  /// The subscription purchase, if the content server knows it.
  case webOrderLineItemID = "web_order_line_item_id"
  /// The customer's account.
  case accountID = "account_id"
  /// The device that asked.
  case deviceID = "device_id"
  /// The server that answered.
  case server
  /// The region of that server.
  case region
  /// The version of the app that asked.
  case appVersion = "app_version"
  /// The reason why the delivery failed.
  case error
  /// How many bytes were sent.
  case bytes
  /// The revision of the record; of several records of a delivery the highest one counts.
  case revision

  /// Whether a record without it is rejected.
  package var isRequired: Bool {
    switch self {
    case .deliveryID, .transactionID, .productID, .status, .occurredAt: return true
    default: return false
    }
  }
}

extension DeliveryColumn: RecordColumn {
  var isNumber: Bool { self == .bytes || self == .revision }

  static var hint: String { "Add them, or name your columns in the setting delivery_columns." }

  static var hintForMissing: String {
    " If it has another name in the file, set that name in delivery_columns."
  }

  static func names(in file: FileContext) -> NameTable { file.deliveryNames }

  /// The column's name in a file; the configuration can map another name to it.
  func name(in file: FileContext) -> String {
    file.settings.deliveryColumns[rawValue] ?? rawValue
  }

  @inline(__always)
  var place: Int {
    switch self {
    case .deliveryID: return 0
    case .transactionID: return 1
    case .productID: return 2
    case .status: return 3
    case .occurredAt: return 4
    case .environment: return 5
    case .originalTransactionID: return 6
    case .webOrderLineItemID: return 7
    case .accountID: return 8
    case .deviceID: return 9
    case .server: return 10
    case .region: return 11
    case .appVersion: return 12
    case .error: return 13
    case .bytes: return 14
    case .revision: return 15
    }
  }
}
