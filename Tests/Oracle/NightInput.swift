/// The settings that change the content of statements.
public struct OracleSettings: Sendable {
  /// The configured environments.
  public var environments = ["Production"]
  /// The instant at which the books begin, in seconds since 1970; if missing, the first delivery.
  public var booksBegin: Int?
  /// The grace period in hours, for products without their own.
  public var graceHours = 24
  /// The number of restored transactions that a family may have.
  public var restoresAllowed = 1
  /// The number of days for which a surplus of restores is reported; 0 means without a limit.
  public var restoreWindowDays = 30
  /// The number of hours without a record after which a feed can be stale.
  public var staleAfterHours = 36
  /// The number of accounts that may share a purchase.
  public var accountsAllowed = 1
  /// The storefront of evidence that names none.
  public var assumeStorefront: String?
  /// The first day of the revenue statement, as `2026-11-01`.
  public var revenueSince: String?
  /// The time zone of the days in reports.
  public var timeZone = "UTC"

  /// Makes the default settings.
  public init() {}
}

/// Everything that a night's statements depend on.
public struct NightInput: Sendable {
  /// The settings.
  public var settings: OracleSettings
  /// The receipts.
  public var receipts: [ReceiptDocument]
  /// The transactions that Apple signed.
  public var signed: [SignedTransaction]
  /// The deliveries.
  public var deliveries: [DeliveryRecord]
  /// The catalogues.
  public var catalogues: [CatalogueDocument]
  /// The records of apps.
  public var clientLog: ClientLog
  /// The times at which the address of each catalogue answered, in seconds since 1970.
  public var catalogueAnswers: [String: [Int]] = [:]
  /// The as-of of the night, in seconds since 1970.
  public var asOf: Int

  /// Makes a night.
  public init(
    settings: OracleSettings, receipts: [ReceiptDocument], signed: [SignedTransaction] = [],
    deliveries: [DeliveryRecord], catalogues: [CatalogueDocument],
    clientLog: ClientLog = ClientLog(), asOf: Int
  ) {
    self.settings = settings
    self.receipts = receipts
    self.signed = signed
    self.deliveries = deliveries
    self.catalogues = catalogues
    self.clientLog = clientLog
    self.asOf = asOf
  }

  /// A product that was delivered and whose name a report of Apple can contain as it is.
  public var plainProduct: String {
    deliveries.map(\.productID).first { name in
      !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." }
    } ?? "com.example.reader.plus"
  }

  /// The as-of in the form of the command line.
  public var asOfText: String {
    Instant(seconds: asOf).rfc3339
  }
}
