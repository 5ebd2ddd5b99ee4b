import Page
import Reports

/// The part of the summary about money: what is at risk, and how the amounts of the month are known.
struct MoneyText {
  /// What missing deliveries cost, by days overdue; nil if nothing is missing.
  let atRisk: String?
  /// The sales of as-of's month, by the source of their amounts; nil if there are none.
  let sales: String?

  init(_ money: Money) {
    atRisk = Self.atRisk(money.atRisk)
    sales = Self.sales(money.sales.filter(\.isNewest))
  }

  /// Maximum number of rows, and of amounts of a row.
  private static let mostRows = 12
  private static let mostAmounts = 6

  private static func atRisk(_ risks: [Money.Risk]) -> String? {
    guard !risks.isEmpty else { return nil }
    let rows = risks.prefix(mostRows).map { risk in
      [
        risk.isUncertain ? "uncertain" : "missing", risk.currency ?? "",
        words(of: risk.source), Amount.grouped(risk.total.deliveries),
      ] + (risk.byAge + [risk.total]).map { $0.amount.map(Amount.grouped(decimal:)) ?? "" }
    }
    var text = TextTable(
      header: ["at risk, overdue", "", "", "deliveries"] + Money.ages + ["all"], rows: rows
    ).text
    let others = risks.count - rows.count
    if others > 0 {
      text += "\(SummaryText.counted(others, "more row")), as in missing_deliveries.csv.\n"
    }
    if risks.contains(where: { $0.source == "catalogue" }) {
      text += "A list price is an estimate of what the customer paid.\n"
    }
    return text
  }

  private static func words(of source: String) -> String {
    switch source {
    case "receipt": "paid"
    case "catalogue": "list price"
    default: "no amount"
    }
  }

  private static func sales(_ sales: [Money.Sales]) -> String? {
    guard let month = sales.first?.month else { return nil }
    func row(
      _ name: String, _ units: (Money.Sales) -> Int, _ amount: (Money.Sales) -> String?
    ) -> [String]? {
      let all = sales.reduce(0) { $0 + units($1) }
      guard all > 0 else { return nil }
      let amounts = sales.compactMap { sale in
        amount(sale).map { "\(sale.currency ?? "") \(Amount.grouped(decimal: $0))" }
      }
      let others = amounts.count - mostAmounts
      let rest = others > 0 ? [SummaryText.counted(others, "more amount")] : []
      let shown = amounts.prefix(mostAmounts) + rest
      return [name, Amount.grouped(all), shown.joined(separator: ", ")]
    }
    let rows = [
      row("what customers paid, as receipts say", { $0.paidUnits }, { $0.paid }),
      row("list price, an estimate", { $0.listedUnits }, { $0.listPrice }),
      row("no amount is known", { $0.units - $0.paidUnits - $0.listedUnits }, { _ in nil }),
    ].compactMap { $0 }
    return TextTable(header: ["sold in \(month)", "units", ""], rows: rows).text
  }
}
