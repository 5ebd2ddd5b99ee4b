import Foundation
import ReconciliationTestSupport
import ReportReading
import TestNeeds
import Testing

@testable import Workbook

@Suite("A workbook", .needs(.python3))
struct WorkbookTests {
  private static let folder = FileManager.default.temporaryDirectory

  /// Writes statements, each with a name and its CSV; returns the file's path.
  private func write(
    _ statements: [(String, String)], created: Int = 1_795_000_000, hasTotals: Bool = false,
    mostRows: Int = 1_048_576
  ) throws -> URL {
    let path = Self.folder.appending(path: "workbook-\(UUID().uuidString).xlsx")
    let workbook = try Workbook(
      path: path.path, folder: Self.folder.path, created: created, mostRows: mostRows)
    for (name, csv) in statements {
      try workbook.begin(name, hasTotals: hasTotals)
      try workbook.take([UInt8](csv.utf8))
    }
    try workbook.close()
    return path
  }

  private func read(_ path: URL) throws -> [(name: String, rows: [[String]])] {
    defer { try? FileManager.default.removeItem(at: path) }
    return try SpreadsheetText.sheets(of: path.path)
  }

  @Test("ids are text, dates are dates and amounts are numbers")
  func kinds() throws {
    let path = try write([
      (
        "revenue",
        "transaction_id,purchased_at,first_flagged_on,net,accounts,currency\r\n"
          + "1234567890123456,2026-11-19T03:04:05Z,2026-11-20,-1234.50,12,EUR\r\n"
          + "1,1900-03-01T00:00:00Z,9999-12-31,0.000,0,\r\n"
      )
    ])
    let sheet = try #require(try read(path).first)
    #expect(sheet.name == "revenue")
    #expect(
      sheet.rows == [
        [
          "\"transaction_id", "\"purchased_at", "\"first_flagged_on", "\"net", "\"accounts",
          "\"currency",
        ],
        ["\"1234567890123456", "2026-11-19T03:04:05Z", "2026-11-20", "-1234.50", "12", "\"EUR"],
        ["\"1", "1900-03-01T00:00:00Z", "9999-12-31", "0.000", "0", ""],
      ])
  }

  @Test(
    "a wide statement is printed on several pages beside each other",
    arguments: [(1, 1), (17, 1), (18, 2), (38, 3)])
  func pages(columns: Int, pages: Int) throws {
    // Each column is 14 characters wide.
    let header = (0..<columns).map { "text_\($0)" }.joined(separator: ",")
    let path = try write([("tie_out", header + "\r\n")])
    defer { try? FileManager.default.removeItem(at: path) }
    let sheet = try SpreadsheetText.member("xl/worksheets/sheet1.xml", of: path.path)
    let setup = try #require(sheet.firstMatch(of: /<pageSetup [^>]*>/)).output
    #expect(setup.contains("orientation=\"landscape\""))
    #expect(setup.contains(" fitToHeight=\"0\""))
    let width = setup.firstMatch(of: /fitToWidth="([0-9]+)"/).map { String($0.output.1) } ?? "1"
    #expect(width == "\(pages)")
    // The first two columns are on each page.
    let names = try SpreadsheetText.member("xl/workbook.xml", of: path.path)
    #expect(names.contains("$A:$B,tie_out!$1:$1") == (pages > 1))
  }

  @Test("a column is wide enough for its longest number, also for a sum")
  func widths() throws {
    let row = "2026-11,IDR,-65886000000.00,1\r\n"
    let path = try write([("months", "month,currency,net,units\r\n\(row)\(row)")], hasTotals: true)
    defer { try? FileManager.default.removeItem(at: path) }
    let sheet = try SpreadsheetText.member("xl/worksheets/sheet1.xml", of: path.path)
    let widths = sheet.matches(of: /<col min="[0-9]+" max="[0-9]+" width="([0-9]+)/).map {
      String($0.output.1)
    }
    // The sum has 19 characters: −131,772,000,000.00.
    #expect(widths == ["28", "14", "20", "12"])
  }

  @Test("a column is wide enough for an amount of more than 15 digits, which is text")
  func widthOfText() throws {
    let amount = "-99999999999999999.99"
    let path = try write(
      [("months", "month,currency,net,units\r\n2026-11,EUR,\(amount),1\r\n")], hasTotals: true)
    defer { try? FileManager.default.removeItem(at: path) }
    let sheet = try SpreadsheetText.member("xl/worksheets/sheet1.xml", of: path.path)
    let widths = sheet.matches(of: /<col min="3" max="3" width="([0-9]+)/).compactMap {
      Int($0.output.1)
    }
    let width = try #require(widths.first)
    #expect(width > amount.count)
  }

  @Test("the texts of the column detail are wrapped, and no others")
  func wrapped() throws {
    let path = try write([("findings", "rule,detail,reason\r\na,a long sentence,b\r\n")])
    defer { try? FileManager.default.removeItem(at: path) }
    let styles = try SpreadsheetText.member("xl/styles.xml", of: path.path)
    let sheet = try SpreadsheetText.member("xl/worksheets/sheet1.xml", of: path.path)
    let formats = try #require(styles.firstMatch(of: /<cellXfs [^>]*>(.*)<\/cellXfs>/)).output.1
      .matches(of: /<xf [^>\/]*(?:\/>|>.*?<\/xf>)/).map { $0.output.contains("wrapText=\"1\"") }
    func isWrapped(_ cell: String) throws -> Bool {
      let style = try #require(try Regex("<c r=\"\(cell)\" s=\"([0-9]+)\"").firstMatch(in: sheet))
      let index = try #require(Int(style.output[1].substring ?? ""))
      try #require(formats.indices.contains(index))
      return formats[index]
    }
    #expect(try isWrapped("B2"))
    #expect(try !isWrapped("A2") && !isWrapped("C2"))
  }

  @Test("a value that a spreadsheet could not keep exactly is text")
  func inexact() throws {
    let path = try write([
      (
        "revenue",
        "net,day,purchased_at,refunds\r\n"
          + "1234567890123.456,1899-12-31,10000-01-01T00:00:00Z,123456789012345\r\n"
          + "0.00000000000000012,2026-13-01,2026-11-19,NaN\r\n"
      )
    ])
    let rows = try #require(try read(path).first).rows
    #expect(
      rows[1] == [
        "\"1234567890123.456", "\"1899-12-31", "\"10000-01-01T00:00:00Z", "123456789012345",
      ])
    #expect(rows[2] == ["0.00000000000000012", "\"2026-13-01", "\"2026-11-19", "\"NaN"])
  }

  @Test("there are no formulas, and no apostrophes against formulas")
  func formulas() throws {
    let path = try write([
      (
        "findings",
        "subject\r\n'=1+1\r\n'+1\r\n'-1\r\n'@x\r\n'quoted'\r\n\"=1\"\r\n{=1}\r\nhttp://x\r\n"
      )
    ])
    let rows = try #require(try read(path).first).rows.dropFirst().map { $0[0] }
    #expect(
      rows == [
        "\"=1+1", "\"+1", "\"-1", "\"@x", "\"'quoted'", "\"=1", "\"{=1}", "\"http://x",
      ])
  }

  @Test("any text is kept, up to the maximum length of a cell")
  func text() throws {
    let odd = "a\u{1}b\u{1F}\u{FFFF}\u{301}\u{FFFE}\u{301}ü本<&>'\u{0}"
      .replacing("\u{0}", with: "")
    let long = String(repeating: "😀", count: 20_000)
    let path = try write([
      (
        "findings",
        "subject,detail\r\n\(odd),\"two\nlines, \"\"quoted\"\"\"\r\n \(odd) ,\(long)\r\n"
      )
    ])
    let rows = try #require(try read(path).first).rows
    #expect(
      rows[1] == [
        "\"a\u{1}b\u{1F}\u{FFFD}\u{301}\u{FFFD}\u{301}ü本<&>'", "\"two\nlines, \"quoted\"",
      ])
    #expect(rows[2][0] == "\" a\u{1}b\u{1F}\u{FFFD}\u{301}\u{FFFD}\u{301}ü本<&>' ")
    #expect(rows[2][1].utf16.count <= 1 + ColumnKind.mostText)
    #expect(rows[2][1].hasSuffix("😀… (shortened)"))
  }

  @Test("text in the form of a spreadsheet's escaped character is kept unchanged")
  func escapes() throws {
    let texts = [
      "_x0041_", "a_x0041_x0042_b", "_x005F_x0041_", "_x00_", "_X0041_", "__x000a__", "_x",
    ]
    let path = try write([("findings", (["subject"] + texts).joined(separator: "\r\n") + "\r\n")])
    let rows = try #require(try read(path).first).rows.dropFirst().map { $0[0] }
    #expect(rows == texts.map { "\"\($0)" })
  }

  @Test("a statement continues in another sheet if one is full", arguments: 0...8)
  func continued(count: Int) throws {
    let lines = (0..<count).map { "\($0)\r\n" }
    let path = try write(
      [("findings", "subject\r\n" + lines.joined()), ("revenue", "day\r\n")], mostRows: 4)
    let sheets = try read(path)
    let names = sheets.map(\.name)
    #expect(
      names == ["findings", "findings (2)", "findings (3)"].prefix(max(1, (count + 2) / 3))
        + ["revenue"])
    let subjects = sheets.filter { $0.name != "revenue" }.flatMap { $0.rows.dropFirst() }
    #expect(subjects.map { $0[0] } == (0..<count).map { "\"\($0)" })
    #expect(sheets.allSatisfy { $0.rows.count <= 4 && $0.rows[0].count == 1 })
  }

  @Test("the same rows give the same bytes")
  func deterministic() throws {
    let statements = [("findings", "subject,day\r\na,2026-11-20\r\n")]
    let one = try write(statements)
    // The time of writing must make no difference.
    Thread.sleep(forTimeInterval: 2.1)
    let other = try write(statements)
    let later = try write(statements, created: 1_795_000_001)
    defer { for path in [one, other, later] { try? FileManager.default.removeItem(at: path) } }
    #expect(try Data(contentsOf: one) == Data(contentsOf: other))
    #expect(try Data(contentsOf: one) != Data(contentsOf: later))
  }

  @Test("the words about a workbook that cannot be written are no sentence")
  func words() throws {
    let workbook = try Workbook(path: "/nowhere/x.xlsx", folder: "/tmp", created: 0)
    try workbook.begin("findings")
    try workbook.take([UInt8]("subject\r\n".utf8))
    let error = #expect(throws: WorkbookError.self) { try workbook.close() }
    #expect(error?.words.hasSuffix(".") == false)
  }

  @Test("a workbook in a missing folder is an error")
  func unwritable() throws {
    #expect(throws: WorkbookError.self) {
      let workbook = try Workbook(path: "/nowhere/x.xlsx", folder: Self.folder.path, created: 0)
      try workbook.begin("findings")
      try workbook.take([UInt8]("subject\r\n".utf8))
      try workbook.close()
    }
  }
}

@Suite("CSV in pieces")
struct CSVRowsTests {
  @Test("the fields are the same for every split")
  func pieces() {
    let text = "a,b,c\r\n\"x\"\"y\",,\"1,2\r\n3\"\r\n,,\r\n"
    let expected = [["a", "b", "c"], ["x\"y", "", "1,2\r\n3"], ["", "", ""]]
    let bytes = [UInt8](text.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var rows = CSVRows()
        var said: [[String]] = []
        for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] {
          rows.take(piece) { row in
            said.append(
              row.ends.indices.map { String(decoding: row.field($0), as: UTF8.self) })
          }
        }
        #expect(said == expected, "cut at \(first) and \(second)")
      }
    }
  }

  @Test("nothing is read after a row that needs too much memory, in text or in fields")
  func longRow() {
    for row in [String(repeating: "a", count: 200), String(repeating: ",", count: 200)] {
      var rows = CSVRows(longestRow: 100)
      var count = 0
      rows.take([UInt8]("a,b\n\(row)\nc\n".utf8)[...]) { _ in count += 1 }
      #expect(count == 1)
      #expect(!rows.isComplete)
    }
  }
}
