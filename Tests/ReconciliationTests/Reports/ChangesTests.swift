import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Testing

@Suite("changes.csv")
struct ChangesTests {
  @Test(
    "changes.csv lists what opened, resolved and reopened in all runs of the day, in a fixed order")
  func day() throws {
    let night = try TestNight.withMissingBooks("2", "1", "10")
    try night.run(asOf: "2026-11-20 03:00")
    let names = try ["1 book", "10 book", "2 book"].map { try night.name(of: $0) }
    try night.expect(
      report: "changes.csv",
      shows: """
        rule             | level | subject | change | cause | age_days | first_flagged_on | finding
        missing_delivery | error | 1 book  | opened |       | 0        | 2026-11-20       | \(names[0])
        missing_delivery | error | 10 book | opened |       | 0        | 2026-11-20       | \(names[1])
        missing_delivery | error | 2 book  | opened |       | 0        | 2026-11-20       | \(names[2])
        """)
    try night.deliver("1", at: "2026-11-20 10:00")
    try night.run(asOf: "2026-11-22 03:00")
    try night.deliver("1", at: "2026-11-22 04:00", status: "failed")
    try night.deliver("2", at: "2026-11-22 04:00")
    try night.run(asOf: "2026-11-22 05:00")
    let paper = """
      subject | change   | cause          | age_days | first_flagged_on
      1 book  | resolved | delivered_late | 2        | 2026-11-20
      1 book  | reopened |                | 2        | 2026-11-20
      2 book  | resolved | delivered_late | 2        | 2026-11-20
      """
    try night.expect(report: "changes.csv", shows: paper)
    // The same run again gives the same changes. The next day has none. The earlier day, made
    // again, has the same bytes.
    try night.run(asOf: "2026-11-22 05:00")
    try night.expect(report: "changes.csv", shows: paper)
    let bytes = try night.report("changes.csv")
    try night.run(asOf: "2026-11-23 05:00")
    try night.expect(report: "changes.csv", shows: "subject | change")
    try night.run(asOf: "2026-11-22 05:00")
    #expect(try night.report("changes.csv", day: "2026-11-22") == bytes)
  }

  @Test("a finding has the same name in every statement and night paper, and in every database")
  func names() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.run(asOf: "2026-11-20 03:00")
    let names = try night.table("findings.csv").columns(["subject", "finding"])
    #expect(try night.table("changes.csv").columns(["subject", "finding"]).text == names.text)
    let other = try TestNight.withMissingBooks("2", "1", "3")
    try other.run(asOf: "2026-11-21 03:00")
    try other.deliver("3", at: "2026-11-20 10:00")
    try other.run(asOf: "2026-11-22 03:00")
    #expect(try other.table("findings.csv").columns(["subject", "finding"]).text == names.text)
    // The findings of a past day have names too.
    try other.run(asOf: "2026-11-11 11:00")
    #expect(
      try other.table("findings.csv", day: "2026-11-11").rows.allSatisfy { row in
        row[7].wholeMatch(of: /F-[0-9a-f]{12}/) != nil
      })
  }

  @Test("the work for the causes of many findings about one purchase is linear")
  func resolved() throws {
    let night = try TestNight()
    try night.catalogue("product_id\nbook")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n101 | book | 2026-11-18 10:00")
    func attempts(_ status: String, _ hour: Int) throws {
      let rows = (1...300).map {
        "\(status)\($0) | 101 | book | device-\($0) | \(status) | 2026-11-18 \(hour):00"
      }
      try night.deliveries(
        (["delivery_id | transaction_id | product_id | device_id | status | occurred_at"] + rows)
          .joined(separator: "\n"))
    }
    try attempts("failed", 11)
    try night.run(asOf: "2026-11-20 03:00")
    try attempts("delivered", 12)
    try night.run(asOf: "2026-11-21 03:00")
    let database = try night.database.connect()
    #expect(
      try database.run(
        """
        select cause, count(*) from tieout.finding_event
        where event = 'resolved' and record like 'delivery delivered%' group by cause
        """, step: "causes"
      ).values == [["delivered_late", "300"]])
    let steps = try database.run(
      """
      select step, row_count from tieout.run_step
      where step like 'findings_%' and row_count > 10 * 1000
      """, step: "steps")
    #expect(steps.values.isEmpty, "\(steps.values)")
  }
}
