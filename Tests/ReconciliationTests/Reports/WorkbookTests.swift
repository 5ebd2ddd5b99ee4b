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
    "the workbook, read back, has the rows of the six statements", arguments: RandomCases.seeds(3))
  func readBack(seed: UInt64) throws {
    let night = try TestNight()
    try night.run(RandomNight(seed: seed &+ 900, accounts: 40).input, files: 2, seed: seed)
    let path = night.reports.appending(path: "latest/reconciliation.xlsx").path
    let sheets = try SpreadsheetText.sheets(of: path)
    #expect(sheets.map { "\($0.name).csv" } == Statements.names)
    for sheet in sheets {
      let table = try night.table("\(sheet.name).csv")
      let csv = [table.header] + table.rows.map { row in row.map(Self.withoutApostrophe) }
      let cells = sheet.rows.map { row in
        row.map { $0.hasPrefix("\"") ? String($0.dropFirst()) : $0 }
      }
      #expect(cells == csv, "\(sheet.name)")
      // Ids are text, whatever they look like.
      for (place, column) in table.header.enumerated() where column.hasSuffix("_id") {
        #expect(sheet.rows.allSatisfy { $0[place].isEmpty || $0[place].hasPrefix("\"") })
      }
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
