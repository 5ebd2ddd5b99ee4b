import Configuration
import DamageTestSupport
import Foundation
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("The difference between two editions") struct EditionDiffTests {
  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "diff-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Writes a statement of an edition.
  private static func write(_ rows: [String], _ edition: String, _ name: String, in folder: URL)
    throws
  {
    let place = folder.appending(path: edition)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(rows.map { "\($0)\r\n" }.joined().utf8).write(to: place.appending(path: "\(name).csv"))
  }

  private static func compare(
    _ before: [String], _ after: [String], _ name: String = "invalid_product_ids"
  ) throws -> StatementDiff {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(before, "2026-11-19", name, in: folder)
    try write(after, "2026-11-20", name, in: folder)
    return try StatementDiff(
      #require(Report.all.first { $0.fileName == "\(name).csv" }),
      before: folder.appending(path: "2026-11-19").path,
      after: folder.appending(path: "2026-11-20").path)
  }

  private static func rows(_ diff: StatementDiff) -> [String] {
    var rows: [String] = []
    diff.rows { row in
      let values = row.values.map { "\($0.column) \($0.before ?? "–") \($0.after ?? "–")" }
      rows.append(
        "\(row.change) \(row.identity.joined(separator: " ")): \(values.joined(separator: ", "))")
    }
    return rows
  }

  @Test("rows come, go and change by what they are about, in any order of the files")
  func kinds() throws {
    let diff = try Self.compare(
      ["product_id,reason,transactions", "a,unknown,1", "b,unknown,2", "\"c,\"\"d\ne\",expired,3"],
      ["product_id,reason,transactions", "\"c,\"\"d\ne\",expired,4", "a,unknown,1", "a,expired,1"])
    #expect(diff.counts == (1, 1, 1))
    #expect(diff.same == 1)
    #expect(
      Self.rows(diff) == [
        "removed b unknown: product_id b –, reason unknown –, transactions 2 –",
        "added a expired: product_id – a, reason – expired, transactions – 1",
        "changed c,\"d\ne expired: transactions 3 4",
      ])
    var some = 0
    diff.rows(atMost: 2) { _ in some += 1 }
    #expect(some == 2)
  }

  @Test("of the end of a period of liabilities.csv the month says what a row is about")
  func periods() throws {
    let header = "liability,period_end,product_id,currency,price_source,state,age,units"
    let diff = try Self.compare(
      [
        header, "owed,2026-10-31,book,USD,receipt,missing,,5",
        "owed,2026-11-12,book,USD,receipt,missing,,5",
      ],
      [
        header, "owed,2026-10-31,book,USD,receipt,missing,,5",
        "owed,2026-11-13,book,USD,receipt,missing,,6",
      ],
      "liabilities")
    #expect(diff.same == 1)
    #expect(Self.rows(diff) == ["changed owed 2026-11 book USD receipt missing: units 5 6"])
  }

  @Test("the days that Apple has not reported are the same row on the next day")
  func pending() throws {
    let header = "report,state,period_begin,period_end,product_id,country,currency,ours_units"
    let diff = try Self.compare(
      [
        header, "sales_summary,compared,2026-11-01,2026-11-01,book,US,USD,1",
        "sales_summary,pending,2026-11-02,2026-11-12,book,US,USD,5",
        "sales_summary,pending,2026-11-02,2026-11-12,map,US,USD,5",
      ],
      [
        header, "sales_summary,compared,2026-11-01,2026-11-01,book,US,USD,1",
        "sales_summary,pending,2026-11-02,2026-11-13,book,US,USD,5",
        "sales_summary,pending,2026-11-02,2026-11-13,map,US,USD,6",
      ],
      "tie_out")
    #expect(diff.same == 2)
    #expect(
      Self.rows(diff) == ["changed sales_summary 2026-11-02 map US USD: ours_units 5 6"])
  }

  @Test("a month that leaves the statements because revenue_since moves is not removed")
  func movedMonth() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      1              | book       | 2026-09-10 10:00 | 1.00  | USD
      2              | book       | 2026-10-10 10:00 | 2.00  | USD
      """)
    // The first one was owed at the end of September.
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at
      1              | book       | 2026-10-02 10:00
      2              | book       | 2026-10-10 10:05
      """)
    for (day, price) in [("2026-09-10", "1.00"), ("2026-10-10", "2.00")] {
      try night.put(
        AppleReports.sales(day, ["book US 1 0.50 USD \(price) USD"]), at: "apple/\(day).txt")
    }
    try night.run(asOf: "2026-10-31 12:00")
    try night.run(asOf: "2026-11-01 12:00")
    for (before, after) in [("2026-10-31", "2026-11-01"), ("2026-11-01", "2026-10-31")] {
      let diff = try EditionDiff(reports: night.reports.path, before: before, after: after)
      #expect(diff.window?.since == "2026-10-01")
      #expect(diff.window?.edition.folder == "2026-11-01")
      var statements: [String: StatementDiff] = [:]
      try diff.statements { statements[$0.name] = $0 }
      for (name, same) in [("revenue", 1), ("liabilities", 0), ("proceeds", 1), ("tie_out", 1)] {
        let statement = try #require(statements[name])
        #expect(statement.counts == (0, 0, 0), "\(name)")
        #expect(statement.earlier == 1, "\(name)")
        #expect(statement.same == same, "\(name)")
      }
      #expect(statements["months"]?.earlier == 0)
    }
  }

  @Test("columns that only one has, and hours_overdue, make no row different")
  func columns() throws {
    let columns = "transaction_id,original_transaction_id,product_id,environment,hours_overdue"
    let diff = try Self.compare(
      [columns, "1,1,book,Production,5", "2,2,book,Production,6"],
      ["\(columns),amount", "1,1,book,Production,29,4.99"],
      "missing_deliveries")
    #expect(Self.rows(diff).map { $0.prefix { $0 != " " } } == ["removed"])
    #expect(diff.same == 1)
  }

  @Test("the same ID in two environments is two rows")
  func environments() throws {
    let columns = "transaction_id,original_transaction_id,product_id,amount,environment"
    let diff = try Self.compare(
      [columns, "1,1,book,7.00,Production", "1,1,book,3.00,Sandbox"],
      [columns, "1,1,book,3.00,Sandbox"], "missing_deliveries")
    #expect(diff.counts == (0, 1, 0))
    #expect(diff.same == 1)
  }

  @Test("equal identities are paired in order, and an empty statement has no rows")
  func duplicates() throws {
    let header = "product_id,reason,transactions"
    let diff = try Self.compare(
      [header, "a,unknown,1", "a,unknown,1"], [header, "a,unknown,1", "a,unknown,1", "a,unknown,1"])
    #expect(diff.counts == (1, 0, 0))
    #expect(diff.same == 2)
    #expect(try Self.compare([header], [header]).counts == (0, 0, 0))
  }

  @Test(
    "random statements: what is applied to the one gives the other",
    arguments: 1...20 as ClosedRange)
  func random(seed: Int) throws {
    var random = Dice(UInt64(seed))
    func statement() -> [String: String] {
      var rows: [String: String] = [:]
      for _ in 0..<40 {
        rows["p\(Int.random(in: 0..<60, using: &random)),r"] =
          "\(Int.random(in: 0..<3, using: &random))"
      }
      return rows
    }
    func lines(_ rows: [String: String]) -> [String] {
      ["product_id,reason,transactions"]
        + rows.map { "\($0.key),\($0.value)" }.shuffled(using: &random)
    }
    let (before, after) = (statement(), statement())
    let diff = try Self.compare(lines(before), lines(after))
    var applied = before
    diff.rows { row in
      let key = row.identity.joined(separator: ",")
      let value = row.values.first { $0.column == "transactions" }
      if row.change == .changed || row.change == .removed {
        #expect(applied[key] == value?.before)
      } else {
        #expect(applied[key] == nil)
      }
      applied[key] = value?.after
    }
    #expect(applied == after)
    #expect(diff.same == before.filter { after[$0.key] == $0.value }.count)
  }

  // If the time grew with the square of the number of rows, it would be many minutes.
  @Test("a statement of many rows in another order has no difference", .timeLimit(.minutes(5)))
  func cost() throws {
    let rows = (0..<100_000).map { "com.example.\($0),unknown,\($0)" }
    let header = "product_id,reason,transactions"
    let diff = try Self.compare([header] + rows, [header] + rows.reversed())
    #expect(diff.same == rows.count)
    #expect(Self.rows(diff).isEmpty)
  }

  @Test(
    "each statement has columns that say what a row is about, and rows of a night differ in them")
  func identities() throws {
    let night = try TestNight()
    try FileManager.default.removeItem(at: night.inbox)
    let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "sample/inbox")
    try FileManager.default.copyItem(at: sample, to: night.inbox)
    night.settings.assumeStorefront = "USA"
    try night.run(asOf: "2026-11-20 03:00")
    for report in Report.all {
      let identity = report.identity
      #expect((identity != nil) == report.isStatement, "\(report)")
      guard let identity else { continue }
      let table = try night.table(report.fileName)
      #expect(identity.allSatisfy { table.header.contains($0) }, "\(report)")
      let keys = table.columns(identity).rows
      #expect(Set(keys).count == keys.count, "\(report)")
    }
    let diff = try EditionDiff(
      reports: night.reports.path, before: "latest", after: "2026-11-20.1")
    #expect(diff.before == diff.after)
    var statements: [StatementDiff] = []
    try diff.statements { statements.append($0) }
    #expect(statements.map(\.name) == EditionDiff.statementNames)
    for statement in statements {
      #expect(statement.counts == (0, 0, 0))
      #expect(try statement.same == night.table("\(statement.name).csv").rows.count)
    }
  }
}
