import Configuration
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing

/// Nasty files together with good files: the night completes, and only the nasty files are
/// rejected.
@Suite("Nasty files") struct NastyFilesTests {
  static let asOf = "2026-11-20 03:00"

  /// A night with a delivered purchase, a missing delivery, and all kinds of files.
  private static func goodNight() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue("product_id | prices\nbook.emma | USD 1.99\nbook.persuasion | USD 1.99")
    try night.transactions(
      """
      transaction_id | product_id      | purchased_at     | account_id | price | currency
      101            | book.emma       | 2026-11-18 10:00 | anna       | 0.99  | USD
      102            | book.persuasion | 2026-11-18 11:00 | anna       | 1.99  | USD
      """)
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      101            | book.emma  | 2026-11-18 10:05
      """)
    try night.clientLog(
      """
      transaction_id | product_id | state     | transaction_date
      101            | book.emma  | purchased | 2026-11-18 10:00
      """)
    return night
  }

  /// The statements and counts of the good files alone.
  private static let good = Result {
    let night = try goodNight()
    let summary = try night.run(asOf: asOf)
    #expect(try night.table("findings.csv").rows.count == 1)
    return (try Statements(night, blanking: []), summary.lines)
  }

  private static let kinds = [
    "file": "files", "receipt": "documents", "transaction": "transactions",
    "delivery": "deliveries", "catalogue": "catalogue_entries", "client": "client_records",
  ]

  /// Expects the statements of the good files, exactly these rejections, and totals that agree.
  private func expect(
    _ night: TestNight, rejected: [[String]], statementsAreGood: Bool = true
  ) throws {
    let rows = try night.table("rejected_records.csv").columns(["file", "line", "kind", "reason"])
      .rows
    #expect(rows == rejected)
    let totals = try night.table("control_totals.csv")
    for (kind, section) in Self.kinds {
      let values = Dictionary(
        uniqueKeysWithValues: totals.rows(where: "section", is: section).rows.map {
          ($0[1], Int($0[2]) ?? -1)
        })
      let all = try #require(values["read"])
      let parts = ["new", "already_known", "rejected"].map { values[$0] ?? -1 }
      #expect(all == parts.reduce(0, +), "\(section)")
      #expect(parts[2] == rows.count { $0[2] == kind }, "\(section)")
    }
    if statementsAreGood {
      let (good, lines) = try Self.good.get()
      // A good delivery in the nasty file can begin the books earlier, so the obligations may differ.
      let here = try Statements(night, blanking: [])
      for name in Statements.names { #expect(here.texts[name] == good.texts[name], "\(name)") }
      for line in lines {
        #expect((totals.value(line.kind, "new") ?? -1) >= line.new, "\(line.kind)")
      }
    }
    let details = try night.table("rejected_records.csv").columns(["detail", "excerpt"]).rows
    for text in details.flatMap({ $0 }) {
      #expect(text.unicodeScalars.count <= 1001)
      #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
    #expect(details.allSatisfy { !$0[0].isEmpty })
  }

  private static let all = NastyFile.ofText + NastyFile.ofValues + NastyFile.ofPlaces

  /// The first file with a rejection of each kind: a file, a receipt, a delivery and so on.
  private static let oneOfEachKind = {
    var kinds: Set<Substring> = []
    return all.filter { nasty in
      guard let kind = nasty.rejections.first?.split(separator: " ").dropLast().last else {
        return false
      }
      return kinds.insert(kind).inserted
    }
  }()

  @Test("with max_rejected 0, nothing is loaded or published", arguments: oneOfEachKind)
  func limited(nasty: NastyFile) throws {
    let night = try Self.goodNight()
    try nasty.put(into: night)
    try expectNothingWithoutRejections(night)
    #expect(try night.run(asOf: Self.asOf).rejected == nasty.rejections.count)
  }

  /// The files of each night: at most one in each folder, and one alone if it has its own limit.
  private static let groups: [[NastyFile]] = {
    let limited = all.filter { $0.documentLimitBytes != nil }
    let others = all.filter { $0.documentLimitBytes == nil }
    let folders = Dictionary(grouping: others) { String($0.path.prefix { $0 != "/" }) }
      .sorted { $0.key < $1.key }.map(\.value)
    let most = folders.map(\.count).max() ?? 0
    let groups = (0..<most).map { place in
      folders.filter { place < $0.count }.map { $0[place] }
    }
    return limited.map { [$0] } + groups
  }()

  @Test("the night completes and rejects the one bad file of each folder", arguments: groups)
  func alone(group: [NastyFile]) throws {
    let night = try Self.goodNight()
    for nasty in group { try nasty.put(into: night) }

    let summary = try night.run(asOf: Self.asOf)
    let expected = group.flatMap(\.rows)
    #expect(summary.rejected == expected.count)
    try expect(night, rejected: Self.sorted(expected))
  }

  /// The rejections in the order of the report.
  private static func sorted(_ rejections: [[String]]) -> [[String]] {
    rejections.sorted { one, other in
      one[0] == other[0]
        ? (Int(one[1]) ?? 0) < (Int(other[1]) ?? 0)
        : one[0].utf8.lexicographicallyPrecedes(other[0].utf8)
    }
  }

  /// Expects that a night with max_rejected 0 keeps and publishes nothing.
  private func expectNothingWithoutRejections(_ night: TestNight) throws {
    night.settings.maxRejected = .count(0)
    let error = #expect(throws: ReconciliationError.self) { try night.run(asOf: Self.asOf) }
    #expect(error?.code == .tooMuchRejected)
    #expect(!FileManager.default.fileExists(atPath: night.reports.path))
    for table in [
      "input_file", "store_transaction", "delivery_record", "rejection", "catalogue_fact",
      "finding",
    ] {
      let connection = try night.database.connect()
      guard try connection.run("select to_regclass('tieout.\(table)')", step: "test").first != nil
      else { continue }
      let count = try connection.run("select count(*) from tieout.\(table)", step: "test").first
      #expect(count == "0", "\(table)")
    }
    night.settings.maxRejected = nil
  }

  @Test("all nasty files in one night are rejected together")
  func together() throws {
    let night = try Self.goodNight()
    var expected: [[String]] = []
    for (number, nasty) in Self.all.enumerated() where nasty.documentLimitBytes == nil {
      let folder = nasty.path.prefix { $0 != "/" }
      let path = "\(folder)/\(number)/\(nasty.path.dropFirst(folder.count + 1))"
      try nasty.at(path).put(into: night)
      expected += nasty.at(path).rows
    }
    try night.run(asOf: Self.asOf)
    try expect(night, rejected: Self.sorted(expected))
  }

  @Test("each cut of a sample is one rejection, and the same cuts again add nothing")
  func everyCut() throws {
    let night = try Self.goodNight()
    let samples = [
      ("receipts", NastyFile.receipt(#""quantity":"1""#), "1 receipt truncated"),
      ("deliveries", NastyFile.delivery(#""error":"é""#), "1 delivery truncated"),
      ("catalog", #"{"version":2,"products":[{"product_id":"book.emma"}]}"# + " ", ""),
    ]
    var expected: [[String]] = []
    for (folder, sample, rejection) in samples {
      let bytes = Array(sample.utf8)
      // A sample that lacks only its line end is complete.
      for length in 1..<bytes.count - 1 {
        let path = "\(folder)/cut-\(length + 1000)"
        try night.put(Data(bytes[..<length]), at: path)
        let words = rejection.isEmpty ? "" : rejection
        expected.append([path] + words.split(separator: " ").map(String.init))
      }
    }
    try night.run(asOf: Self.asOf)
    let rows = try night.table("rejected_records.csv").columns(["file", "line", "kind", "reason"])
      .rows
    try #require(rows.map { $0[0] } == expected.map { $0[0] }.sorted())
    for (row, wanted) in zip(rows, expected.sorted { $0[0] < $1[0] }) {
      if wanted.count > 1 { #expect(row == wanted) } else { #expect(row[2] == "file") }
    }
    try expect(night, rejected: rows)
    let again = try night.run(asOf: Self.asOf)
    #expect(again.lines.allSatisfy { $0.new == 0 })
  }
}

extension NastyFile {
  /// The expected rows of rejected_records.csv: the file as reports show it, line, kind, reason.
  fileprivate var rows: [[String]] {
    rejections.map { [shown(path)] + $0.components(separatedBy: " ") }
  }

  /// The same entry at another path.
  fileprivate func at(_ path: String) -> NastyFile {
    let make = self
    return NastyFile(testDescription, path, rejections) { try make.make(at: $0) }
  }
}

extension DrawnTable {
  /// A value of the control totals.
  fileprivate func value(_ section: String, _ measure: String) -> Int64? {
    rows.first { $0[0] == section && $0[1] == measure }.flatMap { Int64($0[2]) }
  }
}
