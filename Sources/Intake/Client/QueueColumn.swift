/// The columns of an app's report about its own payment queue (StoreKit's `SKPaymentQueue`), by the
/// names that the documentation gives them.
enum QueueColumn: String, CaseIterable {
  /// The transaction; missing if it failed or is deferred.
  case transactionID = "transaction_id"
  /// The transaction that was restored.
  case originalTransactionID = "original_transaction_id"
  /// The product of the transaction.
  case productID = "product_id"
  /// The state of the transaction: purchased, restored, failed or deferred.
  case state
  /// When the app saw it, by the device's clock.
  case transactionDate = "transaction_date"
  /// The customer's account.
  case accountID = "account_id"
  /// The device that the app ran on.
  case deviceID = "device_id"
  /// The version of the app.
  case appVersion = "app_version"
  /// The App Store's environment.
  case environment
}

extension QueueColumn: RecordColumn {
  static let names = NameTable(allCases.map { ($0.rawValue, $0.place) })

  static var hint: String {
    "Add them; a report of invalid identifiers has product_id, reported_at and app_version instead."
  }

  static func names(in file: FileContext) -> NameTable { names }

  /// Whether a record without it is rejected.
  ///
  /// A purchased or restored transaction must have a transaction identifier too.
  var isRequired: Bool {
    switch self {
    case .productID, .state, .transactionDate: return true
    default: return false
    }
  }

  @inline(__always)
  var place: Int {
    switch self {
    case .transactionID: return 0
    case .originalTransactionID: return 1
    case .productID: return 2
    case .state: return 3
    case .transactionDate: return 4
    case .accountID: return 5
    case .deviceID: return 6
    case .appVersion: return 7
    case .environment: return 8
    }
  }
}
