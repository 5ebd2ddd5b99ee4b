import Configuration
import ReconciliationTestSupport
import Reports
import Testing

@Suite("certificate_withdrawn")
struct CertificateWithdrawnTests {
  @Test("a certificate is withdrawn when the period changes by more than materiality")
  func withdrawn() throws {
    let night = try TestNight.october()
    night.settings.materiality = ["units": "2", "USD": "5.01"]
    try night.run(asOf: "2026-11-02 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    func run(_ transactions: String, _ day: String) throws -> String {
      try night.transactions(TestNight.sales + transactions)
      try night.run(asOf: "2026-11-\(day) 03:00")
      return try night.findings(
        of: "certificate_withdrawn",
        columns: ["level", "subject", "detail"])
    }
    let none = DrawnTable("level | subject | detail").text
    #expect(
      try run("3 | map | 2026-10-12 10:00 | 5.00 | USD | 2026-10-12 10:00 |", "03") == none)
    #expect(
      try run("4 | map | 2026-10-12 10:00 | 0.01 | USD | 2026-10-12 10:00 |", "04")
        == DrawnTable(
          """
          level | subject | detail
          error | 2026-10 | since it was approved: 2 units, USD 5.01
          """
        ).text)
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    #expect(
      try run("5 | map | 2026-11-01 10:00 | 9.00 | USD | 2026-11-01 10:00 |", "05") == none)
    // Each currency without a value in the setting matters from the first cent.
    #expect(
      try run("6 | map | 2026-10-12 10:00 | 0.01 | EUR | 2026-10-12 10:00 |", "06")
        .contains("1 unit, EUR 0.01"))
  }

  @Test("with materiality of no units, a change that leaves the sums as they are withdraws nothing")
  func unchanged() throws {
    let night = try TestNight.october()
    night.settings.materiality = ["units": "0"]
    try night.run(asOf: "2026-11-02 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    // The purchase is now on an earlier day of the same period.
    try night.transactions(
      TestNight.sales + "1 | book | 2026-10-09 10:00 | 1.00 | USD | 2026-10-09 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    let moved = "select count(*) > 0 as is_moved from restated_entry where run_id = 3"
    #expect(try night.database.draw(moved) == "is_moved\nt")
    try night.expect("certificate_withdrawn", finds: "subject")
    try night.transactions(
      TestNight.sales + "3 | map | 2026-10-12 10:00 | 0.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-04 03:00")
    try night.expect("certificate_withdrawn", finds: "subject\n2026-10")
  }
}
