import Configuration
import DamageTestSupport
import Foundation
import Oracle
import ReconciliationTestSupport
import TestNeeds
import Testing

@Suite("reconciliation.xlsx", .needs(.python3))
struct ReconciliationWorkbookTests {
  @Test(
    "the workbook, read back, has the rows of the statements", arguments: RandomCases.seeds(1))
  func readBack(seed: UInt64) throws {
    let night = try TestNight()
    try night.run(RandomNight(seed: seed &+ 900, accounts: 40).input, files: 2, seed: seed)
    let path = night.reports.appending(path: "latest/reconciliation.xlsx").path
    let sheets = try SpreadsheetText.sheets(of: path)
    #expect(sheets.map(\.name).first == "overview")
    #expect(
      sheets.dropFirst().map { "\($0.name).csv" } == Statements.names + [
        "roll_forward.csv", "restatement.csv",
      ])
    for sheet in sheets.dropFirst() {
      let table = try night.table("\(sheet.name).csv")
      let csv = [table.header] + table.rows.map { row in row.map(Self.withoutApostrophe) }
      let cells = sheet.rows.map { row in
        row.map { $0.hasPrefix("\"") ? String($0.dropFirst()) : $0 }
      }
      #expect(Array(cells.prefix(csv.count)) == csv, "\(sheet.name)")
      let totals = cells.dropFirst(csv.count + 1)
      // What was owed at the ends of several months does not add up, and the periods of
      // reports overlap.
      let isSummed =
        !["findings", "liabilities", "proceeds", "tie_out"].contains(sheet.name)
        && table.header.contains("currency")
      #expect(totals.isEmpty == (!isSummed || table.rows.isEmpty), "\(sheet.name)")
      try expectTotals(Array(totals), of: table)
      // A column of numbers contains numbers. Texts that can look like numbers stay texts.
      for (place, column) in table.header.enumerated()
      where !column.hasSuffix("_id") && !column.hasSuffix("_ids") && column != "subject" {
        let values = table.rows.map { $0[place] }.filter { !$0.isEmpty }
        guard values.allSatisfy({ $0.wholeMatch(of: #/-?[0-9]{1,14}(\.[0-9]+)?/#) != nil }) else {
          continue
        }
        #expect(
          sheet.rows.dropFirst().prefix(table.rows.count)
            .allSatisfy { !$0[place].hasPrefix("\"") }, "\(sheet.name) \(column)")
      }
      // Ids are text, whatever they look like.
      for (place, column) in table.header.enumerated() where column.hasSuffix("_id") {
        #expect(sheet.rows.allSatisfy { $0[place].isEmpty || $0[place].hasPrefix("\"") })
      }
    }
  }

  /// Compares the last rows of a sheet with sums that are computed from the statement.
  private func expectTotals(_ totals: [[String]], of table: DrawnTable) throws {
    guard !totals.isEmpty else { return }
    let place = try #require(table.header.firstIndex(of: "currency"))
    let source = table.header.firstIndex(of: "price_source")
    let rule = table.header.firstIndex(of: "rule")
    let reason =
      table.header.contains("hours_overdue") || rule != nil
      ? table.header.firstIndex(of: "reason") : nil
    func key(_ row: [String]) -> String {
      // A total has the rule in its title.
      let name = rule.map { row[$0].replacing(/Total of |, uncertain/, with: "") }
      return "\(row[place]) \(name ?? "") \(source.map { row[$0] } ?? "")"
    }
    // Uncertain deliveries have totals of their own, after those of missing ones.
    let parts = Dictionary(grouping: table.rows) { row in
      reason.map { row[$0] == "no_records" } ?? false
    }
    let keys = [false, true].flatMap { isUncertain in
      Set((parts[isUncertain] ?? []).map(key))
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .map { (isUncertain, $0) }
    }
    #expect(totals.map(key) == keys.map(\.1))
    for (total, (isUncertain, name)) in zip(totals, keys) {
      #expect(total[0].contains("an estimate") == name.hasSuffix("catalogue"))
      #expect(total[0].contains("uncertain") == isUncertain)
      for column in [
        "units_sold", "gross", "units_refunded", "refunds", "net", "amount", "closing",
        "closing_amount",
      ] {
        guard let added = table.header.firstIndex(of: column) else { continue }
        let values = (parts[isUncertain] ?? []).filter { key($0) == name }.map { $0[added] }
          .filter { !$0.isEmpty }
        let sum = values.reduce(Decimal(0)) { $0 + (Decimal(string: $1) ?? 0) }
        // Without a known amount, the sum is not known.
        #expect(
          Decimal(string: String(total[added].drop { $0 == "=" })) == (values.isEmpty ? nil : sum),
          "\(column)")
      }
    }
  }

  @Test("the overview says what the workbook is about, and counts the open findings")
  func overview() throws {
    let night = try TestNight()
    try night.run(RandomNight(seed: 7, accounts: 20).input, files: 1, seed: 7)
    let path = night.reports.appending(path: "latest/reconciliation.xlsx").path
    let rows = try #require(try SpreadsheetText.sheets(of: path).first).rows
    let findings = try night.table("findings.csv").rows
    let counted = rows.drop { $0[0] != "\"Open findings" }.dropFirst(2)
      .prefix { !$0[0].isEmpty }.map { row in row.prefix(3).joined(separator: " ") }
    let expected = Dictionary(grouping: findings) { "\"\($0[0]) \"\($0[1])" }
      .map { "\($0.key) \($0.value.count)" }
    #expect(counted == expected.sorted())
    #expect(rows[0][0].hasPrefix("\"Reconciliation as of 20"))
  }

  @Test("the overview has the settings that decide what its amounts and findings mean")
  func settings() throws {
    let night = try TestNight()
    night.settings.assumeStorefront = "USA"
    night.settings.materiality = ["units": "5", "USD": "10.00"]
    try night.run(asOf: "2026-11-20 03:00")
    let path = night.reports.appending(path: "latest/reconciliation.xlsx").path
    let rows = try #require(try SpreadsheetText.sheets(of: path).first).rows
    let shown = rows.map { row in
      row.prefix(2).map { $0.replacing("\"", with: "") }.joined(separator: " ")
    }
    for setting in [
      "assume_storefront USA", "trust apple_response", "grace_hours 24",
      "materiality USD=10.00, units=5",
    ] {
      #expect(shown.contains(setting), "\(shown)")
    }
  }

  @Test("the overview never adds list prices to what customers paid")
  func sources() throws {
    let night = try TestNight()
    try night.catalogue("product_id | prices\nbook | USD 1.99\ncoin |")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      1              | book       | 2026-11-10 10:00 | 5.00  | USD
      2              | book       | 2026-11-10 10:00 |       |
      3              | book       | 2026-11-10 10:00 |       |
      4              | coin       | 2026-11-10 10:00 |       |
      """)
    try night.run(asOf: "2026-11-20 03:00")
    let path = night.reports.appending(path: "latest/reconciliation.xlsx").path
    let rows = try #require(try SpreadsheetText.sheets(of: path).first).rows
    let sales = rows.drop { !$0[0].hasPrefix("\"Sales by month") }.dropFirst()
      .prefix { !$0[0].isEmpty }.map { row in
        row.prefix(7).map { $0.replacing("\"", with: "") }.joined(separator: " ")
      }
    #expect(
      sales == [
        "month currency price_source units_sold gross refunds net",
        "2026-11  none 1   ", "2026-11 USD catalogue 2 3.98 0.00 3.98",
        "2026-11 USD receipt 1 5.00 0.00 5.00",
      ])
  }

  @Test("the workbook of a past day has no sheet of the roll-forward and the restatement")
  func pastDay() throws {
    let night = try TestNight.october()
    try night.run(asOf: "2026-11-03 03:00")
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-02 04:00")
    let papers = ["roll_forward", "restatement"]
    for (edition, expected) in [("2026-11-02", papers), ("2026-11-02.2", [])] {
      let path = night.reports.appending(path: "\(edition)/reconciliation.xlsx").path
      let names = try SpreadsheetText.sheets(of: path).map(\.name)
      #expect(names.filter(papers.contains) == expected, "\(edition)")
      #expect(names.contains("months"), "\(edition)")
    }
  }

  @Test("the workbook is left out if the settings say so")
  func unwanted() throws {
    let night = try TestNight()
    night.settings.workbook = false
    try night.run(asOf: "2026-11-20 03:00")
    #expect(throws: (any Error).self) { try night.report("reconciliation.xlsx") }
    #expect(!(try night.report("SHA256SUMS").contains("xlsx")))
    #expect(!(try night.report("index.html").contains("xlsx")))
  }

  private static func withoutApostrophe(_ text: String) -> String {
    guard text.hasPrefix("'"), let second = text.unicodeScalars.dropFirst().first else {
      return text
    }
    return "=+-@\t\r\n".unicodeScalars.contains(second) ? String(text.dropFirst()) : text
  }
}
