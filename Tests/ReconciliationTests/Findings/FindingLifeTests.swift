import Configuration
import Foundation
import NightRun
import ReconciliationTestSupport
import Reports
import Testing

@Suite("The life of a finding")
struct FindingLifeTests {
  /// One book that was bought and not delivered.
  private static func night() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 1.99")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book       | 2026-11-10 10:00
      """)
    return night
  }

  private static let row = "subject | reason | first_flagged_on | status"
  private static let events = """
    select as_of_on, event from finding_event inner join run using (run_id) order by run_id
    """

  @Test("a finding that is opened, resolved and reopened stays the same finding")
  func life() throws {
    let night = try Self.night()
    let opened = try night.run(asOf: "2026-11-20 03:00")
    try night.expect(
      "missing_delivery", finds: Self.row + "\n1 book | no_records | 2026-11-20 | open")
    #expect(opened.findings.map(\.new) == [1])

    let stillOpen = try night.run(asOf: "2026-11-21 03:00")
    try night.expect(
      "missing_delivery", finds: Self.row + "\n1 book | no_records | 2026-11-20 | open")
    #expect(stillOpen.findings.map(\.open) == [1])
    #expect(stillOpen.findings.map(\.new) == [0])

    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-11-21 10:00 | delivered
      """)
    let resolved = try night.run(asOf: "2026-11-22 03:00")
    try night.expect("missing_delivery", finds: Self.row)
    #expect(resolved.resolved == 1)
    #expect(resolved.findings.isEmpty)

    // A later record says that the same attempt failed.
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-11-22 10:00 | failed
      """)
    let reopened = try night.run(asOf: "2026-11-23 03:00")
    try night.expect(
      "missing_delivery", finds: Self.row + "\n1 book | failed | 2026-11-20 | reopened")
    #expect(reopened.findings.map(\.new) == [0] && reopened.findings.map(\.reopened) == [1])
    // The page counts as the summary does.
    let sentence = "Open: 1 error, 0 new"
    #expect(try night.report("index.html").contains("\(sentence), 1 open again. Judged: "))

    let later = try night.run(asOf: "2026-11-24 03:00")
    #expect(later.findings.map(\.new) == [0] && later.findings.map(\.reopened) == [0])
    #expect(try night.report("index.html").contains("\(sentence). Judged: "))
    try night.expect(
      "missing_delivery", finds: Self.row + "\n1 book | failed | 2026-11-20 | reopened")
    try night.expect(
      report: "missing_deliveries.csv", shows: "reason | first_flagged_on\nfailed | 2026-11-20")
    try night.expect(
      query: Self.events,
      gives: """
        as_of_on   | event
        2026-11-20 | opened
        2026-11-22 | resolved
        2026-11-23 | reopened
        """)
    try night.expect(
      query: "select subject, status from finding", gives: "subject | status\n1 book | reopened")
  }

  @Test("a changed reason does not make a new finding")
  func reasonChanges() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-11-20 10:00 | failed
      """)
    let summary = try night.run(asOf: "2026-11-21 03:00")
    try night.expect("missing_delivery", finds: Self.row + "\n1 book | failed | 2026-11-20 | open")
    #expect(summary.findings.map(\.new) == [0])
    try night.expect(query: Self.events, gives: "as_of_on | event\n2026-11-20 | opened")
  }

  @Test("a run with an earlier as-of rebuilds the statements of its day; findings and latest stay")
  func rebuild() throws {
    let night = try Self.night()
    try night.run(asOf: "2026-11-20 03:00")
    try night.deliveries(
      """
      transaction_id | product_id | occurred_at      | status
      1              | book       | 2026-11-21 10:00 | delivered
      """)
    try night.run(asOf: "2026-11-22 03:00")
    let findings = "select status, first_flagged_on, changed_run_id from finding"
    let before = try night.database.draw(findings)

    let summary = try night.run(asOf: "2026-11-15 03:00")
    #expect(summary.isOfPastDay)
    try night.expect(
      report: "missing_deliveries.csv", shows: "transaction_id")
    #expect(
      try night.table("missing_deliveries.csv", day: "2026-11-15")
        .columns(["transaction_id", "hours_overdue", "first_flagged_on"]).text
        == DrawnTable(
          "transaction_id | hours_overdue | first_flagged_on\n1 | 89 | 2026-11-20"
        ).text)
    let latest = night.reports.appending(path: "latest").path
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: latest) == "2026-11-22")
    #expect(try night.database.draw(findings) == before)
    try night.expect(
      query: Self.events, gives: "as_of_on | event\n2026-11-20 | opened\n2026-11-22 | resolved")
  }

  @Test("a second run with the same as-of has the same statements and opens nothing")
  func sameAgain() throws {
    let night = try Self.night()
    try night.put("{\"status\": 21003}\n", at: "receipts/odd.ndjson")
    try night.run(asOf: "2026-11-20 03:00")
    let first = try Self.bytes(of: night)
    // The four other files are the manifest, SHA256SUMS, the page and the spreadsheet.
    #expect(first.count == Report.all.count + 4)
    let summary = try night.run(asOf: "2026-11-20 03:00")
    #expect(!summary.isOfPastDay)
    #expect(!summary.isNewEdition)
    #expect(try Self.bytes(of: night) == first)
    #expect(summary.lines.allSatisfy { $0.read == 0 })
    #expect(summary.unchangedFiles == 3)
    try night.expect(query: Self.events, gives: "as_of_on | event\n2026-11-20 | opened")
  }

  @Test("a dry run finds the same and keeps nothing")
  func dryRun() throws {
    let night = try Self.night()
    night.settings.dryRun = true
    let dry = try night.run(asOf: "2026-11-20 03:00")
    #expect(dry.isDryRun)
    #expect(dry.runID == nil)
    #expect(dry.folder == nil)
    #expect(dry.findings.map(\.rule) == ["missing_delivery"])
    #expect(
      !FileManager.default.fileExists(atPath: night.reports.appending(path: "2026-11-20").path))
    #expect(!FileManager.default.fileExists(atPath: night.reports.appending(path: "latest").path))
    try night.expect(
      query: """
        select (select count(*) from run) as runs, (select count(*) from finding) as findings,
            (select count(*) from store_transaction) as transactions,
            (select count(*) from input_file) as files, (select count(*) from document) as documents,
            (select count(*) from catalogue_fact) as statements
        """,
      gives: """
        runs | findings | transactions | files | documents | statements
        0    | 0        | 0            | 0     | 0         | 0
        """)
    night.settings.dryRun = false
    let real = try night.run(asOf: "2026-11-20 03:00")
    #expect(real.lines == dry.lines)
    #expect(real.findings == dry.findings)
  }

  private static func bytes(of night: TestNight) throws -> [String: Data] {
    let folder = night.reports.appending(path: "latest").resolvingSymlinksInPath()
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      bytes[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return bytes
  }
}
