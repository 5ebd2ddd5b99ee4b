/// The columns of a report that the App Store called an identifier invalid (StoreKit's
/// `invalidProductIdentifiers`), by the names that the documentation gives them.
enum InvalidProductColumn: String, CaseIterable {
  /// The identifier that the app asked for.
  case productID = "product_id"
  /// When the app received this answer, by the device's clock.
  case reportedAt = "reported_at"
  /// The version of the app.
  case appVersion = "app_version"
  /// The customer's account.
  case accountID = "account_id"
  /// The device that the app ran on.
  case deviceID = "device_id"
}

extension InvalidProductColumn: RecordColumn {
  static let names = NameTable(allCases.map { ($0.rawValue, $0.place) })

  static var hint: String { "Add them." }

  static func names(in file: FileContext) -> NameTable { names }

  var isRequired: Bool { self == .productID || self == .reportedAt }

  @inline(__always)
  var place: Int {
    switch self {
    case .productID: return 0
    case .reportedAt: return 1
    case .appVersion: return 2
    case .accountID: return 3
    case .deviceID: return 4
    }
  }
}
