/// The columns of a delivery record, by the names that the documentation gives them.
public enum DeliveryColumn: String, Sendable, CaseIterable {
  /// What names the attempt.
  case deliveryID = "delivery_id"
  /// The transaction that was presented for it.
  case transactionID = "transaction_id"
  /// What was handed over.
  case productID = "product_id"
  /// What came of it.
  case status
  /// When it came to that.
  case occurredAt = "occurred_at"
  /// The App Store's environment.
  case environment
  /// The original transaction, as far as the content server knows it.
  case originalTransactionID = "original_transaction_id"
  /// The subscription purchase, as far as the content server knows it.
  case webOrderLineItemID = "web_order_line_item_id"
  /// The customer's account.
  case accountID = "account_id"
  /// The device that asked.
  case deviceID = "device_id"
  /// The server that answered.
  case server
  /// Where that server stands.
  case region
  /// The version of the app that asked.
  case appVersion = "app_version"
  /// What went wrong.
  case error
  /// How many bytes were sent.
  case bytes

  /// Whether a record without it is rejected.
  public var isRequired: Bool {
    switch self {
    case .deliveryID, .transactionID, .productID, .status, .occurredAt: return true
    default: return false
    }
  }
}

extension DeliveryColumn: RecordColumn {
  var isNumber: Bool { self == .bytes }

  static var hint: String { "Add them, or map other names to them in the configuration." }

  static var hintForMissing: String {
    " If it has another name in the file, set that name in delivery_columns."
  }

  static func names(in file: FileContext) -> NameTable { file.deliveryNames }

  /// Other names are mapped in the configuration.
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
    }
  }
}
