/// The settings that change what the statements say.
public struct OracleSettings: Sendable {
  /// The environments that count.
  public var environments = ["Production"]
  /// When the books begin, in seconds since 1970; unset, with the first delivery.
  public var booksBegin: Int?
  /// How long a delivery may take where the product does not say.
  public var graceHours = 24
  /// How many restored transactions a family may have.
  public var restoresAllowed = 1
  /// How long a surplus of restores is told of; 0 for ever.
  public var restoreWindowDays = 30
  /// How many accounts may share a purchase.
  public var accountsAllowed = 1
  /// The storefront of evidence that names none.
  public var assumeStorefront: String?
  /// The first day of the revenue statement, as `2026-11-01`.
  public var revenueSince: String?
  /// The time zone that days are told in.
  public var timeZone = "UTC"

  /// Makes the settings that hold unless set.
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
  /// What apps report.
  public var clientLog: ClientLog
  /// The instant that the night speaks about, in seconds since 1970.
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

  /// The as-of as the command line takes it.
  public var asOfText: String {
    Instant(seconds: asOf).rfc3339
  }
}
