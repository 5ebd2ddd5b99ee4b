import Configuration
import Foundation
import Ledger
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Testing

@Suite("Nothing changes a closed period, and the next one has what differs from it")
struct KeptClosingTests {
  /// October, closed and approved, with a purchase of an account in `receipts/3.ndjson`.
  private static func october() throws -> TestNight { try TestNight(copyOf: closed.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let closed: Result<TestNight, any Error> = Result {
    let night = try TestNight.october()
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | price | currency | account_id
      3              | map        | 2026-10-12 10:00 | 4.00  | USD      | PERSON-1
      """)
    try night.run(asOf: "2026-11-03 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    return night.removedAtExit()
  }

  /// The closings, their approvals and their amounts.
  private static func kept(_ night: TestNight) throws -> [String] {
    try night.database.draw(
      each: ["period_closing", "period_approval", "period_amount"].map { table in
        "select one::text as row from \(table) as one order by 1"
      })
  }

  /// The rows of the next closed month.
  private static func november(_ night: TestNight) throws -> [[String]] {
    let folder = try ClosingActs.of(night).close(Period("2026-11")).folder
    let text = try String(contentsOfFile: "\(folder)/period.csv", encoding: .utf8)
    return DrawnTable(csv: text).columns(["entry", "period", "cause", "units_sold", "gross"]).rows
  }

  @Test("a rebuild keeps closed periods; a withdrawn file is an adjustment of the next one")
  func rebuilt() throws {
    let night = try Self.october()
    let before = try Self.kept(night)
    try night.rebuild()
    #expect(try Self.kept(night) == before)
    try night.expect("certificate_withdrawn", finds: "subject")
    try night.withdraw("receipts/3.ndjson")
    try night.rebuild()
    #expect(try Self.kept(night) == before)
    try night.expect("certificate_withdrawn", finds: "subject\n2026-10")
    try night.run(asOf: "2026-12-02 03:00")
    #expect(
      try Self.november(night) == [["prior_period", "2026-10", "file_withdrawn", "-1", "-4.00"]])
    #expect(try FolderProof(night.reports.path).check().packs == 2)
  }

  @Test(
    "the withdrawal of a file names the closed period whose refund only another id shows",
    arguments: [
      ("non_consumable", "", "", 19), ("auto_renewable", "91", "91", 19),
      // Without a line item, the same second shows that it is the same purchase.
      ("auto_renewable", "", "91", 10), ("auto_renewable", "91", "", 10),
    ])
  func refundOfOtherID(type: String, sold: String, refunded: String, day: Int) throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | type\nbook | \(type)")
    let expiry = type == "auto_renewable" ? "2026-11-10 10:00" : ""
    func put(_ row: String) throws {
      let header =
        "transaction_id | original_transaction_id | product_id | purchased_at | price | currency | "
        + "web_order_line_item_id | expires_at | cancelled_at\n"
      try night.transactions(header + row)
    }
    try put("1 | 1 | book | 2026-10-10 10:00 | 1.00 | USD | \(sold) | \(expiry) | ")
    let end = "\(refunded) | \(expiry) | 2026-10-20 10:00"
    try put("2 | 1 | book | 2026-10-\(day) 10:00 | 1.00 | USD | \(end)")
    try night.run(asOf: "2026-11-02 03:00")
    try night.expect(
      query: """
        select transaction_number, entry_kind_name(kind_code) as kind
        from carried_entry
        order by kind_code = entry_kind_code('refunded')
        """,
      gives: "transaction_number | kind\n1 | sold\n1 | refunded")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    let receipts = try FileManager.default.contentsOfDirectory(
      atPath: night.inbox.appending(path: "receipts").path
    ).sorted()
    let withdrawn = try night.withdraw("receipts/\(try #require(receipts.last))")
    #expect(withdrawn.map(\.periods) == [["2026-10 (prepared)"]])
  }

  @Test(
    "the withdrawal of repeated evidence names the period of the refund that it reversed",
    arguments: [[0, 1, 2], [2, 1, 0]], [true, false])
  func repeatedEvidence(order: [Int], inOneNight: Bool) throws {
    let night = try TestNight.october()
    let rows = ["2026-09-10 10:00 |", "2026-10-20 11:00 | 2026-10-20 10:00", "2026-10-22 10:00 |"]
    var paths: [Int: String] = [:]
    for (place, index) in order.enumerated() {
      try night.signed(
        """
        transaction_id | product_id | purchased_at     | price | currency | signed_at        | revoked_at
        7              | book       | 2026-09-10 10:00 | 1000  | USD      | \(rows[index])
        """)
      // october() has written two files.
      paths[index] = "receipts/\(place + 3).ndjson"
      if !inOneNight { try night.run(asOf: "2026-11-02 0\(place + 4):00") }
    }
    try night.run(asOf: "2026-11-03 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    let withdrawn = try night.withdraw(#require(paths[2]))
    #expect(withdrawn.map(\.periods) == [["2026-10 (prepared)"]])
    try night.rebuild()
    try night.expect(
      query: """
        select kind, is_added
        from restated_entry
        where run_id = (select max(run_id) from run) and kind <> 'missing'
        """,
      gives: "kind | is_added\nrefunded | t")
  }

  @Test("the withdrawal of a file that arrived late names the period whose pack has its records")
  func lateRecords() throws {
    let night = try Self.october()
    try night.transactions(
      TestNight.sales + "4 | map | 2026-10-13 10:00 | 8.00 | USD | 2026-10-13 10:00 |")
    try night.run(asOf: "2026-12-02 03:00")
    func periods(_ file: String) throws -> [String] {
      let periods = try night.withdraw(file).flatMap(\.periods)
      try night.undoWithdrawal(file)
      return periods.map { String($0.prefix(7)) }
    }
    #expect(try periods("receipts/3.ndjson") == ["2026-10"])
    // No pack has it yet.
    #expect(try periods("receipts/4.ndjson") == [])
    _ = try Self.november(night)
    #expect(try periods("receipts/3.ndjson") == ["2026-10"])
    #expect(try periods("receipts/4.ndjson") == ["2026-11"])
  }

  @Test("the withdrawal of a catalogue names only closed periods with amounts of its prices")
  func otherPrices() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 1.99, EUR 2.19 DEU")
    try night.catalogue("product_id | prices\nbook | JPY 300 JPN, GBP 1.99 GBR")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | storefront
      1              | book       | 2026-10-10 10:00 |
      2              | book       | 2026-10-11 10:00 | DEU
      """)
    try night.run(asOf: "2026-11-02 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    #expect(try night.withdraw("catalog/2.json").map(\.periods) == [[]])
    #expect(try night.withdraw("catalog/1.json").map(\.periods) == [["2026-10 (prepared)"]])
  }

  @Test("forget changes no closed period and no amount, and withdraws no certificate")
  func forgotten() throws {
    let night = try Self.october()
    let before = try Self.kept(night)
    let summary = try night.forget("PERSON-1")
    #expect(summary.forgotten?.records.map(\.count) == [1])
    #expect(try Self.kept(night) == before)
    try night.run(asOf: "2026-12-02 03:00")
    try night.expect("certificate_withdrawn", finds: "subject")
    #expect(try Self.november(night) == [])
    #expect(try FolderProof(night.reports.path).check().packs == 2)
  }

  @Test("keep_closed_days drops no closed period, and no adjustment of one")
  func dropped() throws {
    let night = try Self.october()
    let before = try Self.kept(night)
    try night.transactions(
      TestNight.sales + "4 | map | 2026-10-13 10:00 | 8.00 | USD | 2026-10-13 10:00 |")
    try night.run(asOf: "2026-11-04 03:00")
    night.settings.keepClosedDays = 1
    try night.run(asOf: "2026-12-02 03:00")
    try night.expect(
      query: "select count(*) as cleared from run where is_cleared", gives: "cleared\n3")
    #expect(try Self.kept(night) == before)
    #expect(
      try Self.november(night) == [["prior_period", "2026-10", "evidence_arrived", "1", "8.00"]])
  }

  @Test("no SQL command changes or empties the tables of closings")
  func immutable() throws {
    let night = try Self.october()
    let before = try Self.kept(night)
    for command in [
      "update period_amount set closing_id = closing_id", "truncate period_closing cascade",
      "truncate period_approval", "truncate period_amount",
    ] {
      let error = #expect(throws: PostgreSQLError.self, "\(command)") {
        try night.database.draw(command)
      }
      // A trigger forbids it.
      #expect(error?.sqlState == "23001", "\(command)")
    }
    #expect(try Self.kept(night) == before)
  }

  @Test("a closing that an SQL command inserts as reopened is closed")
  func insertedAsReopened() throws {
    let night = try Self.october()
    try night.database.connect().run(
      """
      insert into tieout.period_closing (
          period, first_day, last_day, run_id, closing, prepared_by, prepared_at, pack_sha256,
          reopened_by, reopened_at, reopened_because
      )
      select
          '2026-09', '2026-09-01', '2026-09-30', run_id, 1, 'bob', '2026-01-01', '',
          'bob', '2026-01-01', 'forged'
      from tieout.period_closing
      """, step: "test")
    let kept = try night.database.draw(
      """
      select count(*) as n
      from period_closing
      where period = '2026-09' and num_nulls(reopened_by, reopened_at, reopened_because) = 3
      """)
    #expect(kept == "n\n1")
  }
}
