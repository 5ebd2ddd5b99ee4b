import Configuration
import Foundation
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("Closing a period that is no longer in the reports of the newest night")
struct LateClosingTests {
  /// A night in December with a book and a subscription of October.
  private static func december() throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    night.settings.singleSigner = true
    try night.catalogue(
      """
      product_id | type           | delivery
      book       |                |
      month      | auto_renewable | built_in
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | expires_at       | price | currency
      1              | book       | 2026-10-20 10:00 |                  | 4.00  | USD
      2              | month      | 2026-10-17 10:00 | 2026-11-16 10:00 | 30.00 | USD
      """)
    try night.run(asOf: "2026-12-20 03:00")
    return night
  }

  private static func liabilities(in folder: String) throws -> DrawnTable {
    DrawnTable(csv: try String(contentsOfFile: "\(folder)/liabilities.csv", encoding: .utf8))
  }

  @Test("the pack has the liabilities at the end of the period")
  func liabilities() throws {
    let night = try Self.december()
    // The newest edition begins with November.
    let edition = try night.table("liabilities.csv")
    #expect(edition.rows(where: "period_end", is: "2026-10-31").rows == [])
    let pack = try Self.liabilities(in: ClosingActs.of(night).close(Period("2026-10")).folder)
    #expect(
      pack.columns(["liability", "period_end", "product_id", "units", "closing"]).text
        == DrawnTable(
          """
          liability | period_end | product_id | units | closing
          owed      | 2026-10-31 | book       | 1     | 4.00
          unearned  | 2026-10-31 | month      | 1     | 15.00
          """
        ).text)
    // An edition that begins with October has the same rows.
    night.settings.revenueSince = "2026-10-01"
    try night.run(asOf: "2026-12-21 03:00")
    let later = try night.table("liabilities.csv").rows(where: "period_end", is: "2026-10-31")
    #expect(pack == later)
  }

  @Test("liabilities that do not add up end the closing, and the message says what to do")
  func unbalanced() throws {
    let night = try Self.december()
    try night.breakLiabilities()
    let failure = #expect(throws: ReconciliationError.self) {
      try ClosingActs.of(night).close(Period("2026-10"))
    }
    #expect(failure?.code == .unbalanced)
    let words = failure?.message ?? ""
    #expect(words.contains("liabilities.csv does not add up. Nothing was closed."), "\(words)")
    #expect(words.contains("Run tieout recompute") && words.contains("2026-10 again"), "\(words)")
    #expect(try night.database.draw("select count(*) as n from period_closing") == "n\n0")
  }

  @Test("the pack has the liabilities of each month that ends in the period, and of no other")
  func months() throws {
    let night = try Self.december()
    func ends(_ name: String) throws -> Set<String> {
      let table = try Self.liabilities(in: ClosingActs.of(night).close(Period(name)).folder)
      return Set(table.records.compactMap { $0["period_end"] })
    }
    #expect(try ends("2026-10-25..2026-11-15") == ["2026-10-31"])
    #expect(try ends("2026-10-01..2026-10-24") == [])
    #expect(try ends("2026-11-16..2026-12-05") == ["2026-11-30"])
  }

  @Test("what becomes known late is in the opening of the next pack, and was earned in part before")
  func opening() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type | delivery\nquarter | auto_renewable | built_in")
    let rest = "quarter | 2026-10-01 10:00 | 2026-12-31 10:00 | 91.00 | USD"
    func closed(_ month: String, adding transaction: Int, asOf: String) throws -> [[String]] {
      try night.transactions(
        """
        transaction_id | product_id | purchased_at | expires_at | price | currency
        \(transaction) | \(rest)
        """)
      try night.run(asOf: asOf)
      let folder = try ClosingActs.of(night).close(Period(month)).folder
      let period = try String(contentsOfFile: "\(folder)/period.csv", encoding: .utf8)
      return try DrawnTable(csv: period).columns(["entry", "gross"]).rows
        + Self.liabilities(in: folder).columns(["opening", "sold", "earned", "closing"]).rows
    }
    #expect(
      try closed("2026-10", adding: 1, asOf: "2026-11-02 03:00")
        == [["own", "91.00"], ["0.00", "91.00", "31.00", "60.00"]])
    // October earned 91.00 - (120.00 - 60.00) of the second subscription (docs/controlling.md).
    #expect(
      try closed("2026-11", adding: 2, asOf: "2026-12-02 03:00")
        == [["prior_period", "91.00"], ["120.00", "0.00", "60.00", "60.00"]])
  }

  @Test("closing and approving name the products without an amount, which no finding names")
  func unpriced() throws {
    let night = try TestNight.withOpenBooks()
    night.settings.singleSigner = true
    try night.catalogue("product_id\nsub.m\na\nb\nc\nd")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency
      1              | sub.m      | 2026-10-20 10:00 |       |
      2              | a          | 2026-10-20 10:00 | 4.00  | USD
      3              | a          | 2026-11-20 10:00 |       |
      4              | b          | 2026-11-20 10:00 |       |
      5              | c          | 2026-11-20 10:00 |       |
      6              | d          | 2026-11-20 10:00 |       |
      7              | d          | 2026-11-21 10:00 |       |
      """)
    try night.run(asOf: "2027-01-20 03:00")
    let rules = try night.table("findings.csv").records.compactMap { $0["rule"] }
    #expect(!rules.contains("unpriced_product"))
    for (month, words) in [
      ("2026-10", "No amount is known for 1 unit of this period: sub.m."),
      ("2026-11", "No amount is known for 5 units of this period: d, a, b, and 1 more."),
    ] {
      #expect(try ClosingActs.of(night).close(Period(month)).doubts == [words])
      #expect(try ClosingActs.of(night).approve(Period(month)).doubts == [words])
    }
  }
}
