import DamageTestSupport
import Foundation
import ReconciliationTestSupport
import ReportReading
import TestNeeds
import Testing

@testable import Workbook

/// Random statements.
///
/// Another library reads the written workbook, and the test compares the values.
///
/// `TIEOUT_TEST_CASES` sets the number of cases; `TIEOUT_TEST_SEED` repeats one.
@Suite("A random workbook", .needs(.python3), .timeLimit(.minutes(60)))
struct RoundTripTests {
  /// A field's value in the CSV, before quoting, and the value that a reader must find in the
  /// spreadsheet.
  private typealias Field = (csv: String, cell: String)

  private static let columns: [(name: String, draw: @Sendable (inout Dice) -> Field)] = [
    ("subject", text), ("purchased_at", instant), ("net", amount), ("detail", text),
    ("first_flagged_on", day), ("attempts", count), ("occurred_at", text), ("units_sold", text),
    ("note_on", text),
  ]

  private static let pieces: [String] =
    AttackString.short + [
      "", "a", "ü", "本", "😀", "\u{1}", "\u{1f}", "\u{7f}", "\u{fffe}", "\u{ffff}", "\u{e000}", "\"",
      "''",
      "_x0041_", "_x005F_", "_", "x000D_", "\r", "\n", "\r\n", "\t", " ", "<", "&", "]]>", "0012",
      "1e5", "2026-11-20", "2026-11-19T03:04:05Z", "'", "=", "+", "-", "@",
    ]

  private static func text(_ dice: inout Dice) -> Field {
    var text = (0..<Int.random(in: 0...4, using: &dice)).map { _ in
      pieces.randomElement(using: &dice) ?? ""
    }.joined().replacing("\u{0}", with: "")
    // A text that is a number or a day by chance is changed; the fields of other columns test
    // these.
    if ["", "-0"].contains(text) || text.allSatisfy({ $0.isASCII && !$0.isLetter }) {
      text = "t\(text)"
    }
    if text.hasPrefix("2026") { text = "on \(text)" }
    // Reports write an apostrophe before text that would be a formula.
    let starts = "=+-@\t\r\n".utf8
    let isFormula = text.utf8.first.map { starts.contains($0) } == true
    let csv = isFormula ? "'\(text)" : text
    let cell =
      text.utf8.first == UInt8(ascii: "'")
        && text.utf8.dropFirst().first.map { starts.contains($0) } == true
      ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
    let replaced = cell.unicodeScalars.map {
      $0 == "\u{fffe}" || $0 == "\u{ffff}" ? "\u{fffd}" : $0
    }
    var kept = "\""
    kept.unicodeScalars.append(contentsOf: replaced)
    return (csv, kept)
  }

  /// Digits without leading zeros, with up to three decimal places.
  private static func amount(_ dice: inout Dice) -> Field {
    let decimals = Int.random(in: 0...3, using: &dice)
    let digits = Int.random(in: 1...(12 - decimals), using: &dice)
    let whole = UInt64.random(in: 0..<power(digits), using: &dice)
    var text = "\(whole)"
    if decimals > 0 {
      let part = "\(UInt64.random(in: 0..<power(decimals), using: &dice) + power(decimals))"
      text += ".\(part.dropFirst())"
    }
    if Bool.random(using: &dice), text.contains(where: { "123456789".contains($0) }) {
      text = "-\(text)"
    }
    return (text, text)
  }

  private static func power(_ digits: Int) -> UInt64 {
    (0..<digits).reduce(1) { power, _ in power * 10 }
  }

  private static func count(_ dice: inout Dice) -> Field {
    // A spreadsheet is exact to 15 digits only; a longer number stays text.
    let number = UInt64.random(in: 0...(1 << UInt64.random(in: 1...62, using: &dice)), using: &dice)
    return ("\(number)", "\(number)".utf8.count > 15 ? "\"\(number)" : "\(number)")
  }

  private static func day(_ dice: inout Dice) -> Field {
    // From 1900-03-01 on. Foundation's calendar is independent of the writer's.
    let seconds = Double(Int.random(in: -25_508...2_932_896, using: &dice)) * 86_400
    let text = Date(timeIntervalSince1970: seconds).formatted(.iso8601.year().month().day())
    return Bool.random(using: &dice) ? (text, text) : ("", "")
  }

  private static func instant(_ dice: inout Dice) -> Field {
    let seconds = Double(Int.random(in: -2_203_891_200...253_402_300_799, using: &dice))
    let text = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    return Bool.random(using: &dice) ? (text, text) : ("", "")
  }

  /// Quotes as PostgreSQL does: a field with a separator, a quote or a line end, and a field like
  /// the end-of-data marker.
  private static func quoted(_ field: String) -> String {
    let isPlain = field.utf8.allSatisfy { !",\"\r\n".utf8.contains($0) } && field != "\\."
    return isPlain ? field : "\"" + field.replacing("\"", with: "\"\"") + "\""
  }

  @Test("the workbook contains the rows' values, for any values and any split of the CSV")
  func roundTrip() throws {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "random-\(UUID().uuidString).xlsx")
    defer { try? FileManager.default.removeItem(at: path) }
    let workbook = try Workbook(path: path.path, folder: folder.path, created: 1_795_000_000)
    var expected: [[[String]]] = []
    let seeds = RandomCases.seeds(20)
    for seed in seeds {
      var dice = Dice(seed)
      let columns = Self.columns.shuffled(using: &dice).prefix(Int.random(in: 1...9, using: &dice))
      var bytes = Array((["key"] + columns.map(\.name)).joined(separator: ",").utf8) + [13, 10]
      var rows = [(["key"] + columns.map(\.name)).map { "\"\($0)" }]
      for number in 0..<Int.random(in: 0...25, using: &dice) {
        let fields = columns.map { $0.draw(&dice) }
        let line = (["k\(number)"] + fields.map { Self.quoted($0.csv) }).joined(separator: ",")
        bytes += Array(line.utf8) + [10]
        rows.append(["\"k\(number)"] + fields.map(\.cell))
      }
      try workbook.begin("seed \(seed)")
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...200, using: &dice))
        try workbook.take(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      expected.append(rows)
    }
    try workbook.close()
    let sheets = try SpreadsheetText.sheets(of: path.path)
    #expect(sheets.map(\.name) == seeds.map { "seed \($0)" })
    for (sheet, rows) in zip(sheets, expected) {
      #expect(sheet.rows.count == rows.count, "\(sheet.name)")
      for (found, row) in zip(sheet.rows, rows) where found != row {
        Issue.record("\(sheet.name): \(found) is not \(row)")
      }
    }
  }
}

/// Damaged rows, which no server sends.
@Suite("Damaged rows of a workbook", .needs(.python3), .timeLimit(.minutes(60)))
struct DamagedRowsTests {
  private static let folder = FileManager.default.temporaryDirectory

  /// The maximum number of rows of a sheet, with the header.
  private static let mostRows = 3

  private static let sample = Array(
    """
    subject,purchased_at,first_flagged_on,net,attempts\r
    "a ""b"", c",2026-11-19T03:04:05Z,2026-11-20,-1234.50,12\r
    '=1+1,1900-03-01T00:00:00Z,9999-12-31,0.000,0\r
    "two
    lines",,,,\r

    """.utf8)

  private static func workbook(at path: URL) throws -> Workbook {
    try Workbook(path: path.path, folder: folder.path, created: 0, mostRows: mostRows)
  }

  private static func newPath() -> URL {
    folder.appending(path: "damaged-\(UUID().uuidString).xlsx")
  }

  /// The names of the sheets that a statement needs: each begins with the header.
  private static func sheets(of name: String, _ bytes: [UInt8]) -> [String] {
    var rows = CSVRows()
    var count = 0
    rows.take(bytes[...]) { _ in count += 1 }
    guard count > 0 else { return [] }
    let sheets = max(1, (count - 1 + mostRows - 2) / (mostRows - 1))
    return (1...sheets).map { $0 == 1 ? name : "\(name) (\($0))" }
  }

  @Test("damaged rows fill as many sheets as they need, and change no other statement")
  func damaged() throws {
    let seeds = RandomCases.seeds(70)
    // Each sheet of a workbook is an open file.
    for first in stride(from: seeds.lowerBound, to: seeds.upperBound, by: 20) {
      let path = Self.newPath()
      defer { try? FileManager.default.removeItem(at: path) }
      let workbook = try Self.workbook(at: path)
      var expected: [String] = []
      func write(_ name: String, _ bytes: [UInt8]) throws {
        try workbook.begin(name)
        try workbook.take(bytes)
        expected += Self.sheets(of: name, bytes)
      }
      try write("first", Self.sample)
      for seed in first..<min(first + 20, seeds.upperBound) {
        try write("seed \(seed)", MutatedFile(of: Self.sample, seed: seed).bytes)
      }
      try write("last", Self.sample)
      try workbook.close()
      let sheets = try SpreadsheetText.sheets(of: path.path)
      #expect(sheets.map(\.name) == expected)
      for sheet in sheets { #expect(sheet.rows.count <= Self.mostRows, "\(sheet.name)") }
      #expect(sheets.first?.rows.count == Self.mostRows)
      #expect(sheets.prefix(2).map(\.rows) == sheets.suffix(2).map(\.rows))
    }
  }

  @Test("a workbook of damaged rows that is not closed leaves no file, as in a night that fails")
  func discarded() throws {
    for seed in RandomCases.seeds(20) {
      let path = Self.newPath()
      defer { try? FileManager.default.removeItem(at: path) }
      let workbook = try Self.workbook(at: path)
      try workbook.begin("damaged")
      try workbook.take(MutatedFile(of: Self.sample, seed: seed).bytes)
      #expect(!FileManager.default.fileExists(atPath: path.path))
    }
  }

  @Test("a workbook that is not closed keeps no temporary file open")
  func descriptors() async throws {
    // Other tests of this process open files at the same time.
    await #expect(processExitsWith: .success) {
      func discard() throws -> Int {
        do {
          let workbook = try Self.workbook(at: Self.newPath())
          for name in ["first", "second"] {
            try workbook.begin(name)
            try workbook.take(Self.sample)
          }
        }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      let before = try discard()
      for _ in 0..<10 { #expect(try discard() == before) }
    }
  }
}
