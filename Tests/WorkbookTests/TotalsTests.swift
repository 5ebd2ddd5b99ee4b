import DamageTestSupport
import Foundation
import ReconciliationTestSupport
import ReportReading
import TestNeeds
import Testing

@testable import Workbook

@Suite("The totals of a sheet", .needs(.python3))
struct TotalsTests {
  /// Writes a statement with totals, and returns the rows of each sheet.
  private func sheets(_ csv: String, mostRows: Int = 1_048_576) throws -> [[[String]]] {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "totals-\(UUID().uuidString).xlsx")
    defer { try? FileManager.default.removeItem(at: path) }
    let workbook = try Workbook(
      path: path.path, folder: folder.path, created: 0, mostRows: mostRows)
    try workbook.begin("revenue", hasTotals: true)
    try workbook.take([UInt8](csv.utf8))
    try workbook.close()
    return try SpreadsheetText.sheets(of: path.path).map(\.rows)
  }

  @Test("the filter has the rows above the totals")
  func filter() throws {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "totals-\(UUID().uuidString).xlsx")
    defer { try? FileManager.default.removeItem(at: path) }
    let workbook = try Workbook(path: path.path, folder: folder.path, created: 0)
    try workbook.begin("revenue", hasTotals: true)
    try workbook.take([UInt8]("currency,gross\r\nUSD,1\r\nEUR,2\r\n".utf8))
    try workbook.close()
    let sheet = try SpreadsheetText.member("xl/worksheets/sheet1.xml", of: path.path)
    #expect(sheet.contains(#"<autoFilter ref="A1:B3"/>"#))
  }

  @Test("a row for each currency sums its numbers, with formulas")
  func formulas() throws {
    let rows = try sheets(
      """
      day,currency,units_sold,gross\r
      2026-11-01,USD,1,0.10\r
      2026-11-01,,3,\r
      2026-11-02,EUR,2,-7.5\r
      2026-11-02,USD,1,0.2\r

      """)
    #expect(
      rows == [
        [
          ["\"day", "\"currency", "\"units_sold", "\"gross"],
          ["2026-11-01", "\"USD", "1", "0.10"],
          ["2026-11-01", "", "3", ""],
          ["2026-11-02", "\"EUR", "2", "-7.5"],
          ["2026-11-02", "\"USD", "1", "0.2"],
          ["", "", "", ""],
          ["\"Total", "", "=3", ""],
          ["\"Total", "\"EUR", "=2", "=-7.5"],
          ["\"Total", "\"USD", "=2", "=0.30"],
        ]
      ])
  }

  @Test("findings are summed for each rule, and uncertain deliveries apart from missing ones")
  func rules() throws {
    let rows = try sheets(
      """
      rule,reason,currency,opening,closing_amount\r
      duplicate_delivery,,EUR,1,0.10\r
      missing_delivery,failed,EUR,2,0.20\r
      missing_delivery,no_records,EUR,4,0.40\r
      missing_delivery,pending,EUR,8,0.80\r

      """)
    #expect(
      rows.first?.suffix(3) == [
        ["\"Total of duplicate_delivery", "", "\"EUR", "=1", "=0.10"],
        ["\"Total of missing_delivery", "", "\"EUR", "=10", "=1.00"],
        ["\"Total of missing_delivery, uncertain", "", "\"EUR", "=4", "=0.40"],
      ])
  }

  @Test("list prices are summed apart from what customers paid, and called an estimate")
  func sources() throws {
    let rows = try sheets(
      """
      month,currency,price_source,gross\r
      2026-11,,none,\r
      2026-11,USD,catalogue,0.10\r
      2026-11,USD,receipt,0.20\r
      2026-12,USD,catalogue,0.30\r

      """)
    #expect(
      rows[0].dropFirst(6) == [
        ["\"Total", "", "\"none", ""],
        ["\"Total list price, an estimate", "\"USD", "\"catalogue", "=0.40"],
        ["\"Total", "\"USD", "\"receipt", "=0.20"],
      ])
  }

  @Test("uncertain deliveries are summed apart from missing ones; no row adds hours")
  func uncertain() throws {
    let rows = try sheets(
      """
      transaction_id,hours_overdue,reason,amount,currency,price_source\r
      1,5,never_attempted,0.10,USD,catalogue\r
      2,7,no_records,0.20,USD,catalogue\r
      3,9,failed,0.40,USD,catalogue\r
      4,9,no_records,0.80,EUR,receipt\r

      """)
    #expect(
      rows[0].dropFirst(6) == [
        [
          "\"Total missing, list price, an estimate", "", "", "=0.50", "\"USD", "\"catalogue",
        ],
        ["\"Total uncertain", "", "", "=0.80", "\"EUR", "\"receipt"],
        [
          "\"Total uncertain, list price, an estimate", "", "", "=0.20", "\"USD", "\"catalogue",
        ],
      ])
  }

  @Test("a restatement sums the causes of each measure, and not the published numbers")
  func restatement() throws {
    let rows = try sheets(
      """
      month,product_id,currency,price_source,measure,edition,published,refunded,difference,restated\r
      2026-09,book,USD,receipt,gross,2026-09-30,1,,0.5,1.5\r
      2026-09,book,USD,receipt,net,2026-09-30,1,-1,-0.5,0.5\r
      2026-10,map,USD,receipt,net,2026-10-31,2,-2,-2,0\r

      """)
    #expect(
      rows[0].dropFirst(5) == [
        ["\"Total", "", "\"USD", "\"receipt", "\"gross", "", "", "", "=0.5", ""],
        ["\"Total", "", "\"USD", "\"receipt", "\"net", "", "", "=-3", "=-2.5", ""],
      ])
  }

  @Test("no total is a formula if the statement has several sheets")
  func severalSheets() throws {
    let rows = try sheets(
      "currency,net\r\nUSD,1\r\nUSD,2\r\nUSD,3\r\n", mostRows: 3)
    #expect(rows.count == 3)
    #expect(rows[1] == [["\"currency", "\"net"], ["\"USD", "3"]])
    #expect(rows[2] == [["\"currency", "\"net"], ["", ""], ["\"USD", "6"]])
  }

  @Test("a column with a value that a spreadsheet cannot keep has no formula")
  func longNumber() throws {
    let rows = try sheets(
      "currency,net\r\nUSD,1234567890123456.78\r\nUSD,1.02\r\n")
    #expect(rows[0].last == ["\"USD", "\"1234567890123457.80"])
  }

  @Test("a statement without rows, or without a currency, has no totals")
  func none() throws {
    #expect(try sheets("currency,net\r\n") == [[["\"currency", "\"net"]]])
    #expect(try sheets("net\r\n1\r\n") == [[["\"net"], ["1"]]])
  }

  @Test("a sum is exact, or unknown")
  func exact() {
    var dice = Dice(17)
    for _ in 0..<2_000 {
      var sum = ExactSum()
      var expected = Decimal(0)
      for _ in 0..<Int.random(in: 0...20, using: &dice) {
        let units = Int64.random(in: -99_999_999...99_999_999, using: &dice)
        let places = Int.random(in: 0...6, using: &dice)
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let text =
          (units < 0 ? "-" : "") + padded.dropLast(places)
          + (places > 0 ? "." + padded.suffix(places) : "")
        sum.add(Array(text.utf8)[...])
        expected += Decimal(string: text, locale: Locale(identifier: "C")) ?? .nan
      }
      #expect(sum.text.flatMap { Decimal(string: $0, locale: Locale(identifier: "C")) } == expected)
    }
    for field in ["abc", "1.2.3", "1e5", "-", String(repeating: "9", count: 40)] {
      var sum = ExactSum()
      sum.add(Array("1".utf8)[...])
      sum.add(Array(field.utf8)[...])
      #expect(sum.text == nil, "\(field)")
    }
  }
}
