extension NightPage {
  /// Maximum number of rows for the sales, and for missing and for uncertain deliveries each.
  private static let mostRows = 24

  /// The money at risk as a table; nil if nothing is missing.
  var riskTable: [String: Any]? {
    guard !money.atRisk.isEmpty else { return nil }
    // Many currencies of missing deliveries do not hide those of uncertain ones.
    let shown = [false, true].flatMap { isUncertain in
      money.atRisk.filter { $0.isUncertain == isUncertain }.prefix(Self.mostRows)
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
        "source": source, "deliveries": Figure.grouped(risk.total.deliveries),
        "amounts": risk.amounts.map { ["amount": $0.map(Figure.grouped(decimal:)) ?? ""] },
      ]
    }
    return [
      "rows": rows, "ages": money.ages.map { ["age": $0] },
      "hasMore": shown.count < money.atRisk.count,
    ]
  }

  /// The sales by month, currency and source as a table; nil if nothing was sold.
  var salesTable: [String: Any]? {
    guard !money.sales.isEmpty else { return nil }
    var last: String?
    let rows = money.sales.prefix(Self.mostRows).map { sale -> [String: Any] in
      let unknown = sale.units - sale.paidUnits - sale.listedUnits
      defer { last = sale.month }
      return [
        "month": sale.month, "isRepeated": sale.month == last,
        "currency": sale.currency ?? "no currency",
        "paidUnits": sale.paidUnits == 0 ? "" : Figure.grouped(sale.paidUnits),
        "paid": sale.paid.map(Figure.grouped(decimal:)) ?? "",
        "listedUnits": sale.listedUnits == 0 ? "" : Figure.grouped(sale.listedUnits),
        "listed": sale.listPrice.map(Figure.grouped(decimal:)) ?? "",
        "unknown": unknown == 0 ? "" : Figure.grouped(unknown),
      ]
    }
    return ["rows": rows, "hasMore": money.sales.count > Self.mostRows]
  }
}
