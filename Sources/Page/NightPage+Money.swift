extension NightPage {
  /// What missing deliveries of one currency cost.
  package struct Risk: Sendable {
    /// Whether it is uncertain that they are missing.
    package var isUncertain: Bool
    /// The currency; nil if no amount is known.
    package var currency: String?
    /// The source of the amounts: receipt, catalogue or none.
    package var source: String
    /// The number of deliveries.
    package var deliveries: Int
    /// The amount of each range of days overdue, and of all; nil without an amount.
    package var amounts: [String?]

    /// Creates a row.
    package init(
      isUncertain: Bool, currency: String?, source: String, deliveries: Int, amounts: [String?]
    ) {
      self.isUncertain = isUncertain
      self.currency = currency
      self.source = source
      self.deliveries = deliveries
      self.amounts = amounts
    }
  }

  /// The sales of a month in one currency, by the source of their amounts.
  package struct Sales: Sendable {
    /// The month, 2026-11.
    package var month: String
    /// The currency; nil for units whose amount is not known.
    package var currency: String?
    /// The number of all units.
    package var units: Int
    /// The number of units for which receipts say what customers paid, and that amount.
    package var paid: (units: Int, amount: String?)
    /// The number of units with a list price, and that price, an estimate.
    package var listed: (units: Int, amount: String?)

    /// Creates a row.
    package init(
      month: String, currency: String?, units: Int, paid: (units: Int, amount: String?),
      listed: (units: Int, amount: String?)
    ) {
      self.month = month
      self.currency = currency
      self.units = units
      self.paid = paid
      self.listed = listed
    }
  }

  /// Maximum number of rows for the sales, and for missing and for uncertain deliveries each.
  private static let mostRows = 24

  /// The money at risk as a table; nil if nothing is missing.
  var riskTable: [String: Any]? {
    guard !atRisk.isEmpty else { return nil }
    // Many currencies of missing deliveries do not hide those of uncertain ones.
    let shown = [false, true].flatMap { isUncertain in
      atRisk.filter { $0.isUncertain == isUncertain }.prefix(Self.mostRows)
    }
    let rows = shown.map { risk -> [String: Any] in
      let source =
        switch risk.source {
        case "receipt": "paid"
        case "catalogue": "list price, an estimate"
        default: "no amount is known"
        }
      return [
        "state": risk.isUncertain ? "uncertain" : "missing", "currency": risk.currency ?? "",
        "source": source, "deliveries": Figure.grouped(risk.deliveries),
        "amounts": risk.amounts.map { ["amount": $0.map(Figure.grouped(decimal:)) ?? ""] },
      ]
    }
    return [
      "rows": rows, "ages": riskAges.map { ["age": $0] }, "hasMore": shown.count < atRisk.count,
    ]
  }

  /// The sales by month, currency and source as a table; nil if nothing was sold.
  var salesTable: [String: Any]? {
    guard !sales.isEmpty else { return nil }
    var last: String?
    let rows = sales.prefix(Self.mostRows).map { sale -> [String: Any] in
      let unknown = sale.units - sale.paid.units - sale.listed.units
      defer { last = sale.month }
      return [
        "month": sale.month, "isRepeated": sale.month == last,
        "currency": sale.currency ?? "no currency",
        "paidUnits": sale.paid.units == 0 ? "" : Figure.grouped(sale.paid.units),
        "paid": sale.paid.amount.map(Figure.grouped(decimal:)) ?? "",
        "listedUnits": sale.listed.units == 0 ? "" : Figure.grouped(sale.listed.units),
        "listed": sale.listed.amount.map(Figure.grouped(decimal:)) ?? "",
        "unknown": unknown == 0 ? "" : Figure.grouped(unknown),
      ]
    }
    return ["rows": rows, "hasMore": sales.count > Self.mostRows]
  }
}
