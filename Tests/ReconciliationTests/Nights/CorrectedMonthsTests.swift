import Configuration
import Explain
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Runs
import Testing
@testable import Rules

@Suite("recompute corrects ended months that are published")
struct CorrectedMonthsTests {
  /// The night of 2026-11-02, which publishes October; no test connects to its database.
  nonisolated(unsafe) private static let published: Result<TestNight, any Error> = Result {
    try made(asOf: "2026-11-02 03:00").removedAtExit()
  }

  /// The night of 2026-10-25, before the end of October; no test connects to its database.
  nonisolated(unsafe) private static let unpublished: Result<TestNight, any Error> = Result {
    try made(asOf: "2026-10-25 03:00").removedAtExit()
  }

  /// Purchases of October: one that was delivered, one whose delivery is missing, and one that was
  /// refunded.
  private static func made(asOf: String) throws -> TestNight {
    let night = try TestNight.withOpenBooks()
    night.settings.singleSigner = true
    try night.catalogue("product_id\nbook\nmap")
    try night.transactions(
      TestNight.sales + """
        1 | book | 2026-10-10 10:00 | 1.00 | USD | 2026-10-10 10:00 |
        2 | book | 2026-10-20 10:00 | 2.00 | EUR | 2026-10-20 10:00 |
        3 | map  | 2026-10-20 11:00 | 4.00 | USD | 2026-10-20 11:00 | 2026-10-22 10:00
        """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status
      one         | 1              | book       | 2026-10-10 10:05 | delivered
      two         | 92             | book       | 2026-10-20 10:05 | failed
      """)
    try night.run(asOf: asOf)
    return night
  }

  /// Changes of the carried sales and sums: rows that are lost, wrong or too many.
  private static let damagedSales = [
    "delete from tieout.carried_entry",
    "delete from tieout.carried_entry where transaction_number = 1",
    "update tieout.carried_entry set units = units + 1, amount = amount * 2",
    "update tieout.carried_entry set day = day - 40",
    """
    insert into tieout.carried_entry (
        at, transaction_number, units, day, product_number, amount_scale, environment_code, kind_code, currency,
        price_source_code, amount
    )
    select
        at, 77, units, day, product_number, amount_scale, environment_code, kind_code, currency, price_source_code,
        amount
    from tieout.carried_entry
    where transaction_number = 1
    """,
    "delete from tieout.carried_month",
    "update tieout.carried_month set units_sold = units_sold + 1, gross = gross + 5, net = net + 5",
    """
    delete from tieout.carried_entry where transaction_number = 1;
    delete from tieout.carried_month where product_id = 'book' and currency = 'USD'
    """,
  ]

  /// The same for the carried missing deliveries.
  private static let damagedDeliveries = [
    "delete from tieout.carried_missing_delivery",
    "update tieout.carried_missing_delivery set quantity = quantity + 1, amount = amount * 2",
    "update tieout.carried_missing_delivery set purchased_at = purchased_at - interval '40 days'",
    """
    insert into tieout.carried_missing_delivery (
        environment, obligation_key, subject, transaction_id, original_transaction_id, product_id, purchased_at,
        due_at, reason, attempts, quantity, amount, currency, price_source
    )
    select
        environment, obligation_key || '7', subject || '7', '77', '77', product_id, purchased_at, due_at, reason,
        attempts, quantity, amount, currency, price_source
    from tieout.carried_missing_delivery
    """,
  ]

  private static func damage(_ night: TestNight, by commands: String) throws {
    try night.database.connect().run(commands, step: "test")
  }

  @discardableResult
  private static func close(_ name: String, _ night: TestNight) throws -> String {
    let closed = try ClosingActs.of(night).close(Period(name))
    return try String(contentsOfFile: "\(closed.folder)/period.csv", encoding: .utf8)
  }

  /// The content of all carried tables.
  private static func content(_ night: TestNight) throws -> [String] {
    let relations = CarriedRelation.whole + CarriedRelation.found
    return try night.database.draw(
      each: relations.map { "select * from \($0.table) order by \($0.table)::text" })
  }

  /// The reports of a night with a late sale of October, and the amounts of a period that is closed
  /// after it.
  private static func later(_ night: TestNight, closing name: String) throws -> [String] {
    try night.transactions(
      TestNight.sales + "9 | map | 2026-10-12 10:00 | 4.00 | USD | 2026-11-20 10:00 |")
    try night.run(asOf: "2026-12-02 03:00")
    let reports = try ["months.csv", "missing_deliveries.csv", "restatement.csv"].map {
      try night.report($0)
    }
    return try reports + [close(name, night)]
  }

  /// Expects that a recompute finds nothing to correct, and these periods closed wrong.
  private static func expectAgreement(
    _ night: TestNight, wrong: [String] = [], _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let summary = try night.recompute()
    #expect(summary.corrections == 0, comment, sourceLocation: sourceLocation)
    #expect(summary.correctedSums == 0, comment, sourceLocation: sourceLocation)
    #expect(summary.wrongPeriods == wrong, comment, sourceLocation: sourceLocation)
    #expect(summary.hasFoundErrors == !wrong.isEmpty, comment, sourceLocation: sourceLocation)
  }

  @Test(
    "what was damaged after the publication is repaired, and nothing is restated",
    arguments: [
      ("", "2026-10"), ("2026-10", "2026-11"),
      ("2026-10-01..2026-10-15", "2026-10-16..2026-10-31"),
    ])
  func damagedLater(closed: String, next: String) throws {
    func started() throws -> TestNight {
      let night = try TestNight(copyOf: Self.published.get())
      if !closed.isEmpty { try Self.close(closed, night) }
      return night
    }
    let twin = try started()
    let content = try Self.content(twin)
    let later = try Self.later(twin, closing: next)
    // Missing deliveries are not closed.
    for damage in Self.damagedSales + (closed.isEmpty ? Self.damagedDeliveries : []) {
      let night = try started()
      try Self.damage(night, by: damage)
      let summary = try night.recompute()
      #expect((summary.corrections ?? 0) > 0, "\(damage)")
      #expect(summary.correctedSums == 0, "\(damage)")
      #expect(summary.correctionWords?.contains("error_corrected") == false, "\(damage)")
      #expect(try Self.content(night) == content, "\(damage)")
      let restated = "select count(*) as n from month_change"
      #expect(try night.database.draw(restated) == "n\n0", "\(damage)")
      #expect(try Self.later(night, closing: next) == later, "\(damage)")
      try Self.expectAgreement(night, "\(damage)")
    }
  }

  @Test(
    "a number that was published wrong is restated with its own cause",
    arguments: [
      (
        """
        carried_month
        set units_sold = units_sold + 1, gross = gross + 5, net = net + 5
        where currency = 'EUR'
        """,
        """
        measure    | edition    | published | error_corrected | difference | restated
        units_sold | 2026-11-02 | 2         | -1              | -1         | 1
        gross      | 2026-11-02 | 7.00      | -5.00           | -5.00      | 2.00
        net        | 2026-11-02 | 7.00      | -5.00           | -5.00      | 2.00
        """
      ),
      (
        "carried_missing_delivery set quantity = quantity + 1, amount = amount + 5",
        """
        measure       | edition    | published | error_corrected | difference | restated
        units_missing | 2026-11-02 | 2         | -1              | -1         | 1
        gross_missing | 2026-11-02 | 7.00      | -5.00           | -5.00      | 2.00
        """
      ),
    ])
  func publishedWrong(damage: String, restated: String) throws {
    let twin = try TestNight(copyOf: Self.unpublished.get())
    try twin.run(asOf: "2026-11-02 03:00")
    let night = try TestNight(copyOf: Self.unpublished.get())
    try Self.damage(night, by: "update tieout.\(damage)")
    try night.run(asOf: "2026-11-02 03:00")
    night.settings.dryRun = true
    let dry = try night.recompute()
    #expect(dry.correctedSums == 1)
    #expect(dry.correctionWords?.contains("1 sum would be corrected.") == true)
    night.settings.dryRun = false
    let summary = try night.recompute()
    #expect((summary.corrections ?? 0) > 0)
    #expect(summary.correctedSums == 1)
    let words = try #require(summary.correctionWords)
    #expect(words.contains("1 sum was corrected. tieout restate shows the corrections"))
    #expect(summary.warnings.contains(words))
    #expect(try Self.content(night) == Self.content(twin))
    #expect(try night.report("months.csv") == twin.report("months.csv"))
    let wanted = DrawnTable(restated)
    #expect(
      try night.table("restatement.csv").columns(wanted.header).text == wanted.text)
    let inquiry = try Inquiry(about: "2026-10", database: night.database.connectionString)
    #expect(
      inquiry.explanation.overview?.sentence.contains("Since then an error in it was corrected.")
        == true)
    try Self.expectAgreement(night)
    // Later changes of the month are added to the correction.
    try night.transactions(
      TestNight.sales + "9 | book | 2026-10-12 10:00 | 3.00 | EUR | 2026-11-02 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try !night.table("restatement.csv").rows(where: "measure", is: "gross").rows.isEmpty)
    try Self.expectAgreement(night)
  }

  @Test("a number that was published wrong is corrected although the carried data is right again")
  func repairedByHand() throws {
    let night = try TestNight(copyOf: Self.unpublished.get())
    func add(_ units: Int) throws {
      let sums = "units_sold = units_sold + \(units)"
      try Self.damage(night, by: "update tieout.carried_month set \(sums)")
    }
    try add(1)
    try night.run(asOf: "2026-11-02 03:00")
    try add(-1)
    let summary = try night.recompute()
    #expect(summary.corrections == 0)
    #expect(summary.correctedSums == 3)
    #expect(summary.hasFoundErrors)
    #expect(summary.correctionWords?.hasPrefix("What was published about ended months") == true)
    try Self.expectAgreement(night)
  }

  @Test(
    "carried data that contradicts itself cannot be closed until it is recomputed",
    arguments: ["2026-10", "2026-10-01..2026-10-15"])
  func refused(period: String) throws {
    let twin = try TestNight(copyOf: Self.published.get())
    let pack = try Self.close(period, twin)
    for damage in [
      "update tieout.carried_month set units_sold = units_sold + 1",
      "update tieout.carried_month set net = net + 1, gross = gross + 1",
      "delete from tieout.carried_entry where transaction_number = 1",
    ] {
      let night = try TestNight(copyOf: Self.published.get())
      try Self.damage(night, by: damage)
      let failure = #expect(throws: ReconciliationError.self) { try Self.close(period, night) }
      let words = failure?.message ?? ""
      #expect(words.contains("in 2026-10 does not add up"), "\(damage): \(words)")
      #expect(words.contains("Run tieout recompute"), "\(damage): \(words)")
      try night.recompute()
      #expect(try Self.close(period, night) == pack, "\(damage)")
    }
  }

  /// Transaction 1 is lost in all carried tables, so they do not contradict each other.
  private static let lost = """
    delete from tieout.carried_entry where transaction_number = 1;
    delete from tieout.carried_month where product_id = 'book' and currency = 'USD'
    """

  @Test("a month that was closed wrong is restated, and the next closing says to reopen it")
  func closedWrong() throws {
    let twin = try TestNight(copyOf: Self.unpublished.get())
    try twin.run(asOf: "2026-11-02 03:00")
    let pack = try Self.close("2026-10", twin)
    let night = try TestNight(copyOf: Self.unpublished.get())
    try Self.damage(night, by: Self.lost)
    try night.run(asOf: "2026-11-02 03:00")
    try Self.close("2026-10", night)
    let summary = try night.recompute()
    #expect(summary.correctedSums == 1)
    #expect(summary.correctionWords?.contains("Closed with wrong numbers: 2026-10.") == true)
    let refusal = #expect(throws: ReconciliationError.self) {
      try ClosingActs.of(night).approve(Period("2026-10"))
    }
    #expect(refusal?.code == .unbalanced)
    let restated = DrawnTable(
      """
      measure    | published | error_corrected | restated
      units_sold | 0         | 1               | 1
      gross      | 0         | 1.00            | 1.00
      net        | 0         | 1.00            | 1.00
      """)
    #expect(
      try night.table("restatement.csv").columns(restated.header).text == restated.text)
    try Self.expectAgreement(night, wrong: ["2026-10"])
    try night.run(asOf: "2026-12-02 03:00")
    let failure = #expect(throws: ReconciliationError.self) { try Self.close("2026-11", night) }
    let words = failure?.message ?? ""
    #expect(words.contains("in the closed period 2026-10 does not add up"), "\(words)")
    #expect(words.contains("reopen it and the periods"), "\(words)")
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a test")
    #expect(try Self.close("2026-10", night) == pack)
    try Self.close("2026-11", night)
    try Self.expectAgreement(night)
  }

  @Test("an edition that stands again after a period was reopened is corrected too")
  func reopenedWrong() throws {
    let night = try TestNight(copyOf: Self.unpublished.get())
    try Self.damage(night, by: Self.lost)
    try night.run(asOf: "2026-11-02 03:00")
    try night.run(asOf: "2026-11-03 03:00")
    try Self.close("2026-10", night)
    #expect(try night.recompute().correctedSums == 1)
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a test")
    try night.transactions(
      TestNight.sales + "9 | book | 2026-10-12 10:00 | 3.00 | USD | 2026-11-04 10:00 |")
    try night.run(asOf: "2026-11-05 03:00")
    #expect(
      try night.table("restatement.csv").rows(where: "measure", is: "units_sold")
        .columns(["published", "error_corrected", "difference", "restated"]).rows
        == [["0", "1", "2", "2"]])
    try Self.expectAgreement(night)
  }

  @Test("damage after a closing does not say that the closing was wrong")
  func damagedBeforeNextClosing() throws {
    let night = try TestNight(copyOf: Self.published.get())
    try Self.close("2026-10", night)
    try night.run(asOf: "2026-12-02 03:00")
    try Self.damage(night, by: Self.lost)
    let failure = #expect(throws: ReconciliationError.self) { try Self.close("2026-11", night) }
    #expect(failure?.message.contains("Run tieout recompute") == true)
    try night.recompute()
    try Self.close("2026-11", night)
    try Self.expectAgreement(night)
  }

  @Test("a correction of a closed month counts no more when the period is reopened")
  func reopened() throws {
    let night = try TestNight(copyOf: Self.published.get())
    try Self.damage(night, by: Self.lost)
    try night.run(asOf: "2026-11-03 03:00")
    try Self.close("2026-10", night)
    #expect(try night.recompute().correctedSums == 1)
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a test")
    // The edition of 2026-11-02 stands again, and it was right.
    try night.run(asOf: "2026-11-04 03:00")
    #expect(try night.table("restatement.csv").rows.isEmpty)
    try Self.expectAgreement(night)
    try night.transactions(
      TestNight.sales + "9 | book | 2026-10-12 10:00 | 3.00 | EUR | 2026-11-04 10:00 |")
    try night.run(asOf: "2026-11-05 03:00")
    #expect(
      try night.table("restatement.csv").rows(where: "measure", is: "units_sold")
        .columns(["published", "error_corrected", "difference", "restated"]).rows
        == [["1", "", "1", "2"]])
    try Self.expectAgreement(night)
  }

  @Test(
    "with other settings too, what is damaged is repaired, and the sums are right",
    arguments: ["", "2026-10", "2026-10-01..2026-10-15"])
  func otherSettings(closed: String) throws {
    func started() throws -> TestNight {
      let night = try TestNight(copyOf: Self.published.get())
      if !closed.isEmpty { try Self.close(closed, night) }
      night.settings.graceHours = 48
      return night
    }
    let twin = try started()
    try twin.recompute()
    for damage in Self.damagedSales[..<3] {
      let night = try started()
      try Self.damage(night, by: damage)
      let summary = try night.recompute()
      #expect(summary.corrections == nil, "\(damage)")
      #expect(summary.hasFoundErrors, "\(damage)")
      #expect(try Self.content(night) == Self.content(twin), "\(damage)")
      try Self.expectAgreement(night, wrong: closed.isEmpty ? [] : [closed], "\(damage)")
      try night.run(asOf: "2026-11-03 03:00")
      let rows = try night.table("restatement.csv").columns(["difference"]).rows
      #expect(!rows.isEmpty, "\(damage)")
      for row in rows {
        #expect(row == ["0"] || row == ["0.00"], "\(damage)")
      }
      if !closed.isEmpty {
        // The recorded changes, which cancel out in the month, count in the closed period.
        try ClosingActs.of(night).reopen(Period(closed), because: "a test")
        try Self.close(closed, night)
      }
      let next = closed == "2026-10" ? "2026-11-01..2026-11-02" : "2026-10-16..2026-10-31"
      try Self.close(next, night)
    }
  }
}
