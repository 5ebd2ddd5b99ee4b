import Explain
import Configuration
import Foundation
import ReconciliationTestSupport
import Runs
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

  /// October, closed and approved, and a receipt that came later: the certificate is withdrawn.
  private static func withdrawnNight() throws -> TestNight {
    let night = try TestNight.october()
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    try night.transactions(
      TestNight.sales + "3 | map | 2026-10-12 10:00 | 5.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    try night.expect("certificate_withdrawn", finds: "subject\n2026-10")
    return night
  }

  private static func state(_ night: TestNight) throws -> [String] {
    let periods = try Period.closed(in: night.database.connectionString)
    let column = try #require(periods.header.firstIndex(of: "state"))
    return periods.rows.map { $0[column] }
  }

  private static func open(_ folder: String, _ night: TestNight) throws -> [String] {
    let file = night.reports.appending(path: "closed/\(folder)/open.csv")
    return DrawnTable(csv: try String(contentsOf: file, encoding: .utf8))
      .columns(["rule"]).rows.flatMap { $0 }
  }

  @Test("an approval ends the withdrawal at once; the next night resolves the finding and says why")
  func approvedAgain() throws {
    let night = try Self.withdrawnNight()
    #expect(try Self.state(night) == ["withdrawn"])
    let approved = try ClosingActs.of(night).approve(Period("2026-10"))
    #expect(try Self.state(night) == ["certified"])
    #expect(approved.difference == "1 unit, USD 5.00")
    let certificate = try String(contentsOfFile: approved.certificate, encoding: .utf8)
    #expect(
      certificate.contains(
        #""difference":[{"currency":"USD","gross":"5.00","net":"5.00","price_source":"receipt","#
          + #""products":1,"refunds":"","units":1,"units_refunded":0,"units_sold":1,"#
          + #""units_upgraded":0}]"#))
    let first = try String(
      contentsOf: night.reports.appending(path: "closed/2026-10.certificate-1.json"),
      encoding: .utf8)
    #expect(first.contains(#""difference":[]"#))
    try ClosingActs.of(night).showState()
    let page = try String(
      contentsOf: night.reports.appending(path: "index.html"), encoding: .utf8)
    #expect(!page.contains("Certificate withdrawn"))
    // A period that is closed now does not have the finding as open.
    _ = try ClosingActs.of(night).close(Period("2026-11-01..2026-11-01"))
    #expect(try !Self.open("2026-11-01..2026-11-01", night).contains("certificate_withdrawn"))
    try night.run(asOf: "2026-11-04 03:00")
    #expect(
      try night.table("changes.csv").rows(where: "rule", is: "certificate_withdrawn")
        .columns(["change", "cause", "record"]).text
        == DrawnTable(
          """
          change   | cause           | record
          resolved | period_approved | closed/2026-10
          """
        ).text)
    #expect(try Self.state(night) == ["certified", "prepared"])
  }

  @Test("a run of a past day after an approval does not show the certificate as withdrawn")
  func pastDay() throws {
    let night = try Self.withdrawnNight()
    func isShownAsWithdrawn() throws -> Bool {
      try String(contentsOf: night.reports.appending(path: "index.html"), encoding: .utf8)
        .contains("Certificate withdrawn")
    }
    #expect(try isShownAsWithdrawn())
    try night.run(asOf: "2026-11-01 03:00")
    #expect(try isShownAsWithdrawn())
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    try night.run(asOf: "2026-10-31 03:00")
    #expect(try !isShownAsWithdrawn())
    #expect(try Self.state(night) == ["certified"])
    // A night of a later change withdraws it again.
    try night.transactions(
      TestNight.sales + "4 | map | 2026-10-12 10:00 | 5.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-04 03:00")
    #expect(try isShownAsWithdrawn())
  }

  @Test("a change has its file, also if a run of a past day loaded it")
  func loadedByPastDay() throws {
    let night = try TestNight.october()
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    try night.transactions(
      TestNight.sales + "3 | map | 2026-10-12 10:00 | 5.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-01 03:00")
    try night.run(asOf: "2026-11-03 03:00")
    try FindingEvidenceTests.expectEvidence("certificate_withdrawn", in: night)
  }

  @Test("a change that is undone ends the withdrawal, and changes.csv says so")
  func undone() throws {
    let night = try TestNight.october()
    try night.signed(
      """
      transaction_id | product_id | purchased_at     | price | currency | signed_at
      7              | book       | 2026-10-10 10:00 | 1000  | USD      | 2026-10-10 10:00
      """)
    try night.run(asOf: "2026-11-02 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    let header =
      "transaction_id | product_id | purchased_at | price | currency | signed_at | revoked_at\n"
    try night.signed(
      header + "7 | book | 2026-10-10 10:00 | 1000 | USD | 2026-11-02 10:00 | 2026-10-20 10:00")
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try Self.state(night) == ["withdrawn"])
    try night.signed(header + "7 | book | 2026-10-10 10:00 | 1000 | USD | 2026-11-03 10:00 |")
    try night.run(asOf: "2026-11-04 03:00")
    #expect(
      try night.table("changes.csv").rows(where: "rule", is: "certificate_withdrawn")
        .columns(["change", "cause", "record"]).text
        == DrawnTable("change | cause | record\nresolved | change_undone | closed/2026-10").text)
    #expect(try Self.state(night) == ["certified"])
    let explanation = try Inquiry(about: "7", database: night.database.connectionString).explanation
    let reversals = explanation.things.flatMap(\.timeline).filter { $0.event == "reversed" }
    #expect(
      reversals.map(\.words)
        == ["transaction 7: Apple reversed the refund of 2026-10-20T10:00:00Z"])
    #expect(reversals.map(\.file) == ["receipts/5.ndjson"])
  }

  @Test("a reopening ends the withdrawal at once; the month that is closed again does not have it")
  func reopened() throws {
    let night = try Self.withdrawnNight()
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a receipt was missing")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    #expect(try !Self.open("2026-10.2", night).contains("certificate_withdrawn"))
    #expect(try Self.state(night) == ["reopened", "prepared"])
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    #expect(try Self.state(night) == ["reopened", "certified"])
    try night.run(asOf: "2026-11-04 03:00")
    #expect(
      try night.table("changes.csv").rows(where: "rule", is: "certificate_withdrawn")
        .columns(["change", "cause", "record"]).text
        == DrawnTable(
          """
          change   | cause           | record
          resolved | period_reopened | closed/2026-10
          """
        ).text)
    // Without a reopening or an approval it stays withdrawn, and what is closed then has it.
    try night.transactions(
      TestNight.sales + "4 | map | 2026-10-12 10:00 | 5.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-05 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-11-01..2026-11-01"))
    #expect(try Self.open("2026-11-01..2026-11-01", night).contains("certificate_withdrawn"))
    #expect(try Self.state(night) == ["reopened", "withdrawn", "prepared"])
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

  @Test(
    "changes of which the net sums are zero withdraw a certificate, are approved and are shown",
    arguments: [
      (
        """
        5 | map | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 | |
        3 | map | 2026-10-12 10:00 | 4.00 | USD | 2026-10-30 10:00 | 2026-10-30 10:00 |
        """, "0 units, USD 0.00 (sold 1 unit, USD 4.00; refunded 1 unit, USD 4.00)"
      ),
      (
        "3 | map | 2026-10-12 10:00 | 4.00 | USD | 2026-10-30 10:00 | 2026-10-30 10:00 | yes",
        "0 units (upgraded 1 unit)"
      ),
      (
        // The oldest evidence says what was paid.
        """
        3 | map  | 2026-10-12 10:00 | 5.00 | USD | 2026-10-25 10:00 | |
        4 | book | 2026-10-12 10:00 | 3.00 | USD | 2026-10-25 10:00 | |
        """, "0 units, USD 0.00 (sold 0 units, USD 0.00, in 2 rows that cancel each other)"
      ),
    ])
  func cancelled(late: String, words: String) throws {
    let header = TestNight.sales.trimmingCharacters(in: .newlines) + " | upgraded\n"
    let october = try Period("2026-10")
    let night = try TestNight.october()
    try night.transactions(
      header + """
        3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-30 10:00 | |
        4 | book | 2026-10-12 10:00 | 4.00 | USD | 2026-10-30 10:00 | |
        """)
    try night.run(asOf: "2026-11-03 03:00")
    _ = try ClosingActs.of(night).close(october)
    _ = try ClosingActs.of(night).approve(october)
    try night.transactions(header + late)
    night.settings.materiality = ["units": "2", "USD": "4.01"]
    try night.run(asOf: "2026-11-04 03:00")
    try night.expect("certificate_withdrawn", finds: "subject")
    night.settings.materiality = [:]
    try night.run(asOf: "2026-11-05 03:00")
    let found = try night.findings(of: "certificate_withdrawn", columns: ["detail"])
    #expect(found == DrawnTable("detail\nsince it was approved: \(words)").text)
    let page = try String(
      contentsOf: night.reports.appending(path: "index.html"), encoding: .utf8)
    #expect(page.contains("changed since then: \(words)"))
    let periods = try Period.closed(in: night.database.connectionString)
    let units = try #require(periods.header.firstIndex(of: "units_moved"))
    let amounts = words.dropFirst("0 units".count).drop { ", ".contains($0) }
    #expect(periods.rows[0][units...].prefix(2) == ["0", String(amounts)])
    let approved = try ClosingActs.of(night).approve(october)
    #expect(approved.isNew && approved.difference == words)
    #expect(try !ClosingActs.of(night).approve(october).isNew)
    try ClosingActs.of(night).reopen(october, because: "a test")
    let again = try #require(try ClosingActs.of(night).close(october).previous)
    #expect(again.difference == words)
  }

  @Test(
    "amounts of one source that cancel each other do not decide whether a sum is an estimate",
    arguments: [
      ("catalogue", "receipt", "1 unit, USD 4.00"),
      ("receipt", "catalogue", "1 unit, USD 4.00 (list price)"),
    ])
  func listPrices(cancelled: String, left: String, words: String) throws {
    let night = try TestNight()
    try night.expect(
      query: """
        select words
        from change_words(
            array[
                row('a', 'sold', 'USD', '\(cancelled)', 0, 1.00)::changed_number,
                row('b', 'sold', 'USD', '\(cancelled)', 0, -1.00)::changed_number,
                row('c', 'sold', 'USD', '\(left)', 1, 4.00)::changed_number
            ]
        )
        """, gives: "words\n\(words)")
  }
}
