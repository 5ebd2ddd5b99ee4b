import DamageTestSupport
import Foundation
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("The views for tools")
struct ReportViewTests {
  @Test("each view has a comment and is in the data dictionary with all its columns")
  func documented() throws {
    let night = try TestNight()
    let rows = try night.database.connect().run(
      """
      select
          relname,
          obj_description(pg_class.oid),
          (
              select string_agg('`' || attname || '`', ', ' order by attnum)
              from pg_attribute
              where attrelid = pg_class.oid and attnum > 0
          )
      from pg_class
      where relnamespace = 'tieout'::regnamespace and relkind = 'v' and relname like 'report%'
      order by relname
      """, step: "test")
    #expect(rows.values.count == 9)
    let page = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../../reports/README.md")
        .standardized, encoding: .utf8)
    for row in rows.values {
      let name = row[0] ?? "", columns = row[2] ?? ""
      #expect(row[1] != nil, "\(name)")
      #expect(
        page.split(separator: "\n").contains {
          $0.hasPrefix("| `\(name)` |") && $0.hasSuffix("| \(columns) |")
        }, "\(name): \(columns)")
    }
  }

  @Test("the views have as many rows as the reports", arguments: RandomCases.seeds(1))
  func same(seed: UInt64) throws {
    let night = try TestNight()
    try night.run(RandomNight(seed: seed &+ 300, accounts: 30).input, files: 2, seed: seed)
    let database = try night.database.connect()
    func count(_ sql: String) throws -> Int? {
      try database.run("select count(*) from tieout.\(sql)", step: "test").first.flatMap { Int($0) }
    }
    let pairs = [
      ("report_missing_delivery", "missing_deliveries.csv"),
      ("report_duplicate_restore", "duplicate_restores.csv"),
      ("report_revenue", "revenue.csv"), ("report_rejection", "rejected_records.csv"),
      ("report_finding where status <> 'resolved'", "findings.csv"),
    ]
    for (view, report) in pairs {
      #expect(try count(view) == night.table(report).rows.count, "\(view)")
    }
    let open = try database.run(
      """
      select sum(findings), (select sum(open_errors + 0) from tieout.report_night)
      from tieout.report_open_by_night
      """, step: "test"
    ).values[0]
    let findings = try night.table("findings.csv")
    #expect(open[0].flatMap { Int($0) } ?? 0 == findings.rows.count)
    #expect(
      open[1].flatMap { Int($0) } ?? 0 == findings.rows(where: "level", is: "error").rows.count)
    #expect(try #require(try count("report_step")) > 10)
    try night.recompute()
    let again = try database.run(
      "select sum(findings) from tieout.report_open_by_night", step: "test"
    ).first
    #expect(again.flatMap { Int($0) } ?? 0 == findings.rows.count, "a second night of the day")
  }
}
