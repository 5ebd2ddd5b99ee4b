import Configuration
import Explain
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("What a closed month is compared with")
struct ClosingBaselineTests {
  private static let late = "3 | map  | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |"

  private static func sentence(_ name: String, _ night: TestNight) throws -> String? {
    try Inquiry(about: name, database: night.database.connectionString)
      .explanation.overview?.sentence
  }

  /// The differences of gross, by the edition that they are compared with.
  private static func differences(_ night: TestNight) throws -> [[String]] {
    try night.table("restatement.csv").rows(where: "measure", is: "gross")
      .columns(["edition", "difference"]).rows
  }

  @Test("a closing that was reopened is not what later nights are compared with")
  func reopened() throws {
    let night = try TestNight.october()
    try night.run(asOf: "2026-10-31 03:00")
    try night.transactions(TestNight.sales + Self.late)
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try Self.differences(night) == [["2026-11-02", "4.00"]])
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    try night.run(asOf: "2026-11-04 03:00")
    #expect(try Self.differences(night) == [])
    #expect(try Self.sentence("2026-10", night)?.contains("nothing has changed it") == true)
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a test")
    #expect(
      try Self.sentence("2026-10", night)
        == "2026-10 was last published in the edition 2026-11-02. Since then one transaction has "
        + "changed it. It is not closed: tieout close 2026-10 closes it.")
    try night.run(asOf: "2026-11-05 03:00")
    #expect(try Self.differences(night) == [["2026-11-02", "4.00"]])
    #expect(try night.recompute().corrections == 0)
    // The same night is closed again.
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    try night.run(asOf: "2026-11-06 03:00")
    #expect(try Self.differences(night) == [])
  }

  @Test("a month that is closed in parts is compared with the closing of its last part")
  func parts() throws {
    let night = try TestNight.october()
    let parts = try ["2026-10-01..2026-10-15", "2026-10-16..2026-10-31"].map { try Period($0) }
    _ = try ClosingActs.of(night).close(parts[0])
    try night.transactions(TestNight.sales + Self.late)
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try Self.differences(night) == [["2026-11-02", "4.00"]])
    // The pack of the second part has what has changed in the first one.
    _ = try ClosingActs.of(night).close(parts[1])
    try night.expect(
      query: "select sum(amount) as gross from period_amount where currency = 'USD'",
      gives: "gross\n5.00")
    try night.run(asOf: "2026-11-04 03:00")
    #expect(try Self.differences(night) == [])
    #expect(
      try Self.sentence("2026-10", night)?.hasPrefix(
        "2026-10 was last published in the edition 2026-11-03. Since then nothing has changed it.")
        == true)
    #expect(try night.recompute().corrections == 0)
    try night.transactions(
      TestNight.sales + "4 | map  | 2026-10-13 10:00 | 8.00 | USD | 2026-10-13 10:00 |")
    try night.run(asOf: "2026-11-05 03:00")
    #expect(try Self.differences(night) == [["2026-11-03", "8.00"]])
    try ClosingActs.of(night).reopen(parts[1], because: "a test")
    try night.run(asOf: "2026-11-06 03:00")
    #expect(try Self.differences(night) == [["2026-11-02", "12.00"]])
    _ = try ClosingActs.of(night).close(parts[1])
    try night.run(asOf: "2026-11-07 03:00")
    #expect(try Self.differences(night) == [])
  }

  @Test("a run of a past day has no restatement, although its night was closed")
  func pastDay() throws {
    let night = try TestNight.october()
    try night.transactions(TestNight.sales + Self.late)
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try Self.differences(night) == [["2026-11-02", "4.00"]])
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    try night.transactions(
      TestNight.sales + "4 | map  | 2026-11-03 01:00 | 8.00 | USD | 2026-11-03 01:00 |")
    try night.run(asOf: "2026-11-04 03:00")
    try night.run(asOf: "2026-11-03 04:00")
    #expect(try night.shownNames().contains("2026-11-03.2"))
    #expect(try night.table("restatement.csv", day: "2026-11-03.2").rows == [])
  }

  @Test("the calendar says how a part changed that was approved before its month was published")
  func partBeforePublication() throws {
    let night = try TestNight.october(asOf: "2026-10-25 03:00")
    for act in 1...2 {
      let part = act == 1 ? "2026-10-01..2026-10-15" : "2026-10-16..2026-10-31"
      let closed = try ClosingActs.of(night).close(Period(part))
      #expect(!closed.folder.isEmpty)
      _ = try ClosingActs.of(night).approve(Period(part))
      guard act == 1 else { break }
      try night.transactions(TestNight.sales + Self.late)
      try night.run(asOf: "2026-10-31 03:00")
      try night.run(asOf: "2026-11-01 03:00")
    }
    try ClosingActs.of(night).showState()
    let page = try String(
      contentsOf: night.reports.appending(path: "index.html"), encoding: .utf8)
    #expect(page.contains("changed since then: 1 unit, USD 4.00"))
  }

  @Test("the calendar does not say that a month has changed before its parts were closed")
  func partsAfterChange() throws {
    let night = try TestNight.october(asOf: "2026-10-31 03:00")
    try night.transactions(TestNight.sales + Self.late)
    try night.run(asOf: "2026-11-02 03:00")
    for part in ["2026-10-01..2026-10-15", "2026-10-16..2026-10-31"] {
      _ = try ClosingActs.of(night).close(Period(part))
    }
    try ClosingActs.of(night).showState()
    let page = try String(
      contentsOf: night.reports.appending(path: "index.html"), encoding: .utf8)
    #expect(page.contains("closed by") && !page.contains("changed since"))
  }

  @Test("months that a night in the future published by mistake are not compared with")
  func ignoredFuture() throws {
    let night = try TestNight.october()
    night.settings.allowFuture = true
    try night.run(asOf: "2027-11-20 03:00")
    night.ignoresFutureNights = true
    try night.run(asOf: "2026-11-20 03:00")
    night.ignoresFutureNights = false
    try night.transactions(
      TestNight.sales + "3 | map  | 2026-11-20 10:00 | 4.00 | USD | 2026-11-20 10:00 |")
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try night.table("restatement.csv").rows == [])
    try night.transactions(TestNight.sales + Self.late)
    try night.run(asOf: "2026-11-22 03:00")
    #expect(try Self.differences(night) == [["2026-11-02", "4.00"]])
  }

  @Test("a night that finds the edition of a run of a past day publishes the month with it")
  func foundPublished() throws {
    let night = try TestNight.october()
    // Then no finding is new, so the next two runs have the same statements.
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try night.run(asOf: "2026-10-31 03:00").isOfPastDay)
    // As --ignore-future-nights does it for the nights in November.
    try night.database.connect().run(
      "update tieout.run set is_of_past_day = true", step: "test")
    for _ in 1...2 {
      let found = try night.run(asOf: "2026-10-31 03:00")
      #expect(!found.isOfPastDay && !found.isNewEdition)
    }
    #expect(
      try Self.sentence("2026-10", night)?.hasPrefix(
        "2026-10 was last published in the edition 2026-10-31. Since then nothing has changed it.")
        == true)
    // Only the first of the two nights did it.
    let nights = "select run_id from published_month where month = '2026-10-01' and run_id > 3"
    #expect(try night.database.draw(nights) == "run_id\n4")
  }

  @Test("explain says on the last day of a month when it can be closed, and a refusal names days")
  func words() throws {
    let night = try TestNight.october(asOf: "2026-10-31 03:00")
    #expect(
      try Self.sentence("2026-10", night)?.hasSuffix(
        "It is not closed. After a night of a later day, tieout close 2026-10 closes it.") == true)
    try night.run(asOf: "2026-11-02 03:00")
    _ = try ClosingActs.of(night).close(Period("2026-09-27..2026-10-05"))
    do {
      _ = try ClosingActs.of(night).close(Period("2026-10"))
      Issue.record("A day is in two closed periods.")
    } catch let error as ReconciliationError {
      #expect(
        error.message
          == "5 of the 31 days of 2026-10 are closed already, in 2026-09-27..2026-10-05, and each "
          + "day is in one closed period. Not closed: 2026-10-06..2026-10-31. To close the rest: "
          + "tieout close 2026-10-06..2026-10-31")
    }
    #expect(
      try Self.sentence("2026-10", night)?.hasSuffix(
        " 5 of its days are closed: 2026-09-27..2026-10-05 (prepared). Not closed: "
          + "2026-10-06..2026-10-31. To close the rest: tieout close 2026-10-06..2026-10-31")
        == true)
    _ = try ClosingActs.of(night).close(Period("2026-10-06..2026-10-31"))
    #expect(
      try Self.sentence("2026-10", night)?.hasSuffix(
        " Its days are in these closed periods: 2026-09-27..2026-10-05 (prepared), "
          + "2026-10-06..2026-10-31 (prepared).") == true)
  }
}
