import Configuration
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("Rejections beyond the number that is kept") struct KeptRejectionsTests {
  private let asOf = "2026-11-20 03:00"

  /// A file with many rejections for two reasons, and two files with a few rejections.
  private func flooded(_ kept: Int, connections: Int = 2) throws -> TestNight {
    let night = try TestNight()
    night.settings.rejectionsKept = kept
    night.settings.loadConnections = connections
    let flood = (1...700).map { $0.isMultiple(of: 7) ? "nonsense\n" : "{}\n" }.joined()
    try night.put(Data(gzipMember(Array(flood.utf8))), at: "deliveries/flood.gz")
    try night.put(String(repeating: "{}\n", count: 5), at: "deliveries/a.ndjson")
    try night.put("{\"status\":21003}\n{\"status\":21004}\n", at: "receipts/z.ndjson")
    return night
  }

  private func rows(_ night: TestNight) throws -> [[String]] {
    try night.table("rejected_records.csv").columns(["file", "line", "reason", "records"]).rows
  }

  private func value(_ night: TestNight, _ sql: String) throws -> String? {
    try night.database.connect().run(sql, step: "ask").first
  }

  @Test("rejections beyond the limit are counted by file and reason, and all sums agree")
  func counted() throws {
    let night = try flooded(60)
    let summary = try night.run(asOf: asOf)
    #expect(summary.rejected == 707)
    #expect(counts("deliveries", summary) == [705, 0, 0, 705])
    let rows = try rows(night)
    #expect(rows.reduce(0) { $0 + (Int($1[3]) ?? 0) } == 707)
    #expect(rows.count { $0[3] == "1" } == 60)
    // Rejections are kept in rounds over files and reasons, so a small group is kept completely.
    #expect(rows.count { $0[0] == "deliveries/a.ndjson" } == 5)
    #expect(rows.count { $0[0] == "receipts/z.ndjson" } == 2)
    #expect(rows.filter { $0[1].isEmpty }.map { $0[2] } == ["malformed_json", "missing_field"])
    // The counted rejections come after the kept ones of their file.
    #expect(rows.lastIndex { $0[0] == "deliveries/flood.gz" } == rows.lastIndex { $0[1].isEmpty })
    #expect(
      summary.warnings.contains { $0.hasPrefix("647 rejections were only counted") },
      "\(summary.warnings)")
    let totals = try night.table("control_totals.csv").rows.filter { $0[1] == "rejected" }
    #expect(totals.reduce(0) { $0 + (Int($1[2]) ?? 0) } == 707)
  }

  @Test("kept rejections do not depend on the number of connections that read the files")
  func deterministic() throws {
    let first = try flooded(90, connections: 1)
    let second = try flooded(90, connections: 8)
    try first.run(asOf: asOf)
    try second.run(asOf: asOf)
    #expect(try first.report("rejected_records.csv") == second.report("rejected_records.csv"))
    let question =
      "select string_agg(path || line || coalesce(raw::text, '-'), ' ' order by rejection_id) from tieout.rejection"
    #expect(try value(first, question) == value(second, question))
  }

  @Test("the first hundred records of each reason are kept, and only the places of later ones")
  func shares() throws {
    let night = try flooded(1000)
    try night.run(asOf: asOf)
    #expect(try rows(night).count == 707)
    let kept = try value(
      night,
      """
      select string_agg(concat_ws(' ', reason, rejections, records, details), ', ' order by reason)
      from (
          select reason, count(*) as rejections, count(raw) as records,
              count(nullif(detail, '')) as details
          from tieout.rejection where kind = 'delivery' group by reason
      ) as kept
      """)
    #expect(kept == "malformed_json 100 100 100, missing_field 605 100 105")
    let details = try night.table("rejected_records.csv").columns(["detail"]).rows
    #expect(details.allSatisfy { !$0[0].isEmpty })
  }

  @Test("a rebuild finds no new rejection, also with another limit")
  func rebuilt() throws {
    let night = try flooded(60)
    try night.run(asOf: asOf)
    let told = try night.report("rejected_records.csv")
    for kept in [60, 1000, 3] {
      night.settings.rejectionsKept = kept
      #expect(try night.rebuild().rejectedForTheFirstTime == 0, "\(kept)")
      #expect(try night.report("rejected_records.csv") == told)
    }
  }

  @Test("a file is read again when the setting changes that rejected it, even if nothing was kept")
  func reconsidered() throws {
    let night = try TestNight()
    night.settings.rejectionsKept = 0
    night.settings.bundleIDs = ["com.example.other"]
    try night.put(NastyFile.receipt(#""quantity":"1""#), at: "receipts/a.json")
    let first = try night.run(asOf: asOf)
    #expect(counts("documents", first) == [1, 0, 0, 1])
    #expect(try value(night, "select count(*) from tieout.rejection") == "0")
    night.settings.bundleIDs = []
    #expect(counts("documents", try night.run(asOf: asOf)) == [1, 1, 0, 0])
  }

  @Test("a small file with a million rejections leaves a small database")
  func bomb() throws {
    let night = try TestNight()
    let bomb = try gzipMember(Array(String(repeating: "{}\n", count: 1_000_000).utf8))
    #expect(bomb.count < 10_000)
    try night.put(Data(bomb), at: "deliveries/bomb.gz")
    #expect(counts("deliveries", try night.run(asOf: asOf)) == [1_000_000, 0, 0, 1_000_000])
    let bytes = try value(night, "select pg_total_relation_size('tieout.rejection')")
    #expect((bytes.flatMap { Int($0) } ?? .max) < 8 << 20)
  }

  @Test("rejected acknowledgements are limited too")
  func acknowledgements() throws {
    let night = try TestNight()
    night.settings.rejectionsKept = 20
    let lines = (1...300).map { "F-\(String($0 + 0x1000, radix: 16)),,because \($0),anna" }
    try night.put(
      "finding,until,because,by\n" + lines.joined(separator: "\n") + "\n",
      at: "acknowledgements/a.csv")
    let summary = try night.run(asOf: asOf)
    #expect(summary.rejected == 300)
    let rows = try rows(night)
    #expect(rows.count == 21)
    #expect(rows.last == ["acknowledgements/a.csv", "", "unknown_finding", "280"])
  }
}
