/// The kinds of Apple's reports, told apart by their columns.
enum AppleReportKind: String, Sendable, CaseIterable {
  /// Sales and Trends, summary: an estimate, by Pacific day. Its old form has 27 columns.
  case salesSummary = "sales_summary"
  /// Financial Report, of one region or consolidated: what Apple pays, by fiscal month.
  case financial
  /// Subscription report: the active subscriptions at the end of a day.
  case subscription
  /// Subscription Event report: renewals, cancellations and others of a day.
  case subscriptionEvent = "subscription_event"

  /// The columns that a report of the kind must have.
  var required: [AppleReportColumn] {
    switch self {
    case .salesSummary:
      [
        .product, .productType, .units, .proceeds, .begin, .end, .customerPrice, .currency,
        .country,
      ]
    case .financial:
      [
        .begin, .end, .product, .units, .proceeds, .extendedProceeds, .proceedsCurrency, .saleKind,
        .country,
      ]
    case .subscription: [.subscription, .active, .country]
    case .subscriptionEvent: [.begin, .event, .subscription, .country, .units]
    }
  }

  /// The columns that every row must fill.
  var filled: [AppleReportColumn] {
    // A subscription may have no country, and an estimate no price.
    switch self {
    case .salesSummary: [.product, .productType, .units, .begin, .end, .country]
    case .financial: required
    case .subscription: [.subscription, .active]
    case .subscriptionEvent: [.begin, .event, .subscription, .units]
    }
  }

  /// The kind whose columns these are; nil if they are of none.
  init?(columns: [AppleReportColumn?]) {
    // A financial report can have columns for all that a sales report states, so it is first.
    let order: [AppleReportKind] = [.financial, .salesSummary, .subscriptionEvent, .subscription]
    let found = order.first { kind in
      kind.required.allSatisfy { columns.contains($0) }
    }
    guard let kind = found else { return nil }
    self = kind
  }
}

/// A column that is read, under the names that Apple's reports and exports of them give it.
enum AppleReportColumn: CaseIterable {
  case begin, end, product, productType, units, proceeds, extendedProceeds
  case proceedsCurrency, customerPrice, currency, country, saleKind, event, subscription, active

  /// The names in small letters, words separated by spaces.
  ///
  /// The first is that of today's reports.
  var names: [String] {
    switch self {
    case .begin: ["begin date", "start date", "event date"]
    case .end: ["end date"]
    case .product: ["sku", "vendor identifier"]
    case .productType: ["product type identifier"]
    case .units: ["units", "quantity"]
    case .proceeds: ["developer proceeds", "royalty price", "partner share"]
    case .extendedProceeds: ["extended partner share"]
    case .proceedsCurrency:
      [
        "currency of proceeds", "royalty currency", "partner share currency", "proceeds currency",
      ]
    case .customerPrice: ["customer price"]
    case .currency: ["customer currency"]
    case .country: ["country code", "country of sale", "country"]
    case .saleKind: ["sales or return", "sale or return"]
    case .event: ["event"]
    case .subscription: ["subscription name"]
    case .active: ["active standard price subscriptions"]
    }
  }

  /// The column with a name, which may be written as in a database: `customer_price`.
  init?(named name: String) {
    let words = Self.words(name)
    guard let column = Self.allCases.first(where: { $0.names.contains(words) }) else { return nil }
    self = column
  }

  /// The name in small letters, with single spaces between the words.
  static func words(_ name: String) -> String {
    name.lowercased().split { $0 == "_" || $0 == " " }.joined(separator: " ")
  }
}
