import Page
import Reports

/// The text about money: what missing deliveries cost, and the sources of the month's amounts.
///
/// The summary has both as tables. The message of a quiet command has only what missing deliveries
/// cost, as a sentence.
struct MoneyText {
  /// What missing deliveries cost, by days overdue if there is room; nil if nothing is missing.
  let atRisk: String?
  /// The same in one line, without the days overdue.
  let sentence: String?
  /// The sales of as-of's month, by the source of their amounts; nil if there are none.
  let sales: String?

  /// - Parameter width: The number of columns in which the money at risk should fit.
  init(_ money: Money, width: Int = .max) {
    let risks = money.atRisk.map(Risk.init)
    atRisk = Self.table(risks, ages: money.ages, width: width)
    sentence = Self.sentence(risks)
    sales = Self.sales(money.sales.filter(\.isNewest))
  }

  /// Maximum number of rows, and of amounts of a row.
  private static let mostRows = 12
  private static let mostAmounts = 6

  /// One row of the money at risk, in words.
  private struct Risk {
    let state: String
    let currency: String
    let source: String
    let deliveries: Int
    /// The amount of each range of days overdue, and of all; empty if it is not known.
    let amounts: [String]
    let isEstimate: Bool

    init(_ risk: Money.Risk) {
      state = risk.isUncertain ? "uncertain" : "missing"
      currency = risk.currency ?? ""
      source =
        switch risk.source {
        case "receipt": "paid"
        case "catalogue": "list price"
        default: "no amount"
        }
      deliveries = risk.total.deliveries
      amounts = risk.amounts.map { $0.map(Figure.grouped(decimal:)) ?? "" }
      isEstimate = risk.source == "catalogue"
    }

    /// The row in a sentence, such as "missing USD 4.99 paid (1 delivery)".
    var words: String {
      let parts = [state, currency, amounts.last ?? "", source].filter { !$0.isEmpty }
      let count = deliveries == 1 ? "1 delivery" : "\(Figure.grouped(deliveries)) deliveries"
      return "\(parts.joined(separator: " ")) (\(count))"
    }
  }

  private static let estimate = "A list price is an estimate of what the customer paid."

  private static func table(_ risks: [Risk], ages: [String], width: Int) -> String? {
    guard !risks.isEmpty else { return nil }
    let rows = risks.prefix(mostRows).map { risk in
      [risk.state, risk.currency, risk.source, Figure.grouped(risk.deliveries)] + risk.amounts
    }
    var text = TextTable(
      header: ["at risk, overdue", "", "", "deliveries"] + ages + ["all"], rows: rows
    ).text
    if text.split(separator: "\n").contains(where: { $0.count > width }) {
      let totals = rows.map { Array($0.prefix(4)) + $0.suffix(1) }
      text = TextTable(header: ["at risk", "", "", "deliveries", "all"], rows: totals).text
      text += "A wider terminal shows these amounts by days overdue.\n"
    }
    if let others = others(than: rows.count, of: risks) { text += "\(others).\n" }
    if risks.contains(where: \.isEstimate) { text += "\(estimate)\n" }
    return text
  }

  private static func sentence(_ risks: [Risk]) -> String? {
    guard !risks.isEmpty else { return nil }
    let shown = risks.prefix(mostAmounts)
    let parts = shown.map(\.words) + [others(than: shown.count, of: risks)].compactMap { $0 }
    return "At risk: \(parts.joined(separator: ", "))."
      + (risks.contains(where: \.isEstimate) ? " \(estimate)" : "")
  }

  private static func others(than shown: Int, of risks: [Risk]) -> String? {
    let others = risks.count - shown
    return others > 0
      ? "\(Figure.counted(others, "more rows")), as in missing_deliveries.csv" : nil
  }

  private static func sales(_ sales: [Money.Sales]) -> String? {
    guard let month = sales.first?.month else { return nil }
    func row(
      _ name: String, _ units: (Money.Sales) -> Int, _ amount: (Money.Sales) -> String?
    ) -> [String]? {
      let all = sales.reduce(0) { $0 + units($1) }
      guard all > 0 else { return nil }
      let amounts = sales.compactMap { sale in
        amount(sale).map { "\(sale.currency ?? "") \(Figure.grouped(decimal: $0))" }
      }
      let others = amounts.count - mostAmounts
      let rest = others > 0 ? [Figure.counted(others, "more amounts")] : []
      let shown = amounts.prefix(mostAmounts) + rest
      return [name, Figure.grouped(all), shown.joined(separator: ", ")]
    }
    let rows = [
      row("what customers paid, as receipts say", { $0.paidUnits }, { $0.paid }),
      row("list price, an estimate", { $0.listedUnits }, { $0.listPrice }),
      row("no amount is known", { $0.units - $0.paidUnits - $0.listedUnits }, { _ in nil }),
    ].compactMap { $0 }
    return TextTable(header: ["sold in \(month)", "units", ""], rows: rows).text
  }
}
