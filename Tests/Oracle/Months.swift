/// One row of the statement of months.
private struct MonthRow {
  var sums = RevenueRow()
  var unitsMissing = 0
  var grossMissing: Amount?

  /// With the number of digits of the row's other amounts.
  var grossMissingText: String {
    guard let gross = sums.gross else { return "" }
    let zero = Amount(digits: 0, scale: gross.scale)
    return (zero + (grossMissing ?? zero)).text
  }
}

extension Ledger {
  private func month(of moment: Int) -> String { String(civilTime(moment).day.prefix(7)) }

  func monthsReport() -> String {
    var rows = sums { _, payment, moment in
      [month(of: moment), payment?.currency.text ?? "", payment?.source ?? "none"]
    }.mapValues { MonthRow(sums: $0) }
    for missing in missingDeliveries() where missing.reason != "no_records" {
      let payment = payment(of: missing.purchase)
      let columns = [
        month(of: missing.purchase.purchaseDate), payment?.currency.text ?? "",
        payment?.source ?? "none",
      ]
      let key = RevenueKey(columns: columns.map { ByteText($0) })
      rows[key, default: MonthRow()].unitsMissing += missing.purchase.quantity
      guard let amount = payment?.amount else { continue }
      rows[key, default: MonthRow()].grossMissing =
        rows[key]?.grossMissing.map { $0 + amount } ?? amount
    }
    // Each month since the first sale has a row.
    let known = Set(rows.keys.map { $0.columns[0].text })
    let sold = rows.filter { $1.sums.unitsSold > 0 }.map { $0.key.columns[0].text }
    var next = sold.min()
    while let month = next, month <= self.month(of: asOf) {
      if !known.contains(month) {
        rows[RevenueKey(columns: [month, "", "none"].map { ByteText($0) })] = MonthRow()
      }
      next = Self.month(after: month)
    }
    return reportText(
      "month,currency,price_source,units_sold,gross,units_refunded,refunds,net,units_upgraded,"
        + "units_missing,gross_missing",
      rows.sorted { $0.key < $1.key }.map { key, row in
        key.columns.map { .text($0) } + [
          .number(row.sums.unitsSold), .plain(row.sums.money.gross),
          .number(row.sums.unitsRefunded), .plain(row.sums.money.refunds),
          .plain(row.sums.money.net), .number(row.sums.unitsUpgraded),
          .number(row.unitsMissing), .plain(row.grossMissingText),
        ]
      })
  }

  private static func month(after month: String) -> String {
    let parts = month.split(separator: "-").compactMap { Int($0) }
    let next = parts[0] * 12 + parts[1]
    return padded(next / 12, 4) + "-" + padded(next % 12 + 1, 2)
  }
}
