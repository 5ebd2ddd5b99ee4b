import Configuration
import Explain
import Findings
import Foundation
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Synchronization
import Testing

/// The result of a thread.
private final class Waited: Sendable {
  let said = Mutex("")
}

@Suite("Acknowledged findings stop alerting and stay in the reports")
struct AcknowledgementTests {
  @Test(
    "an acknowledgement keeps who, when, until and why; after its last day the finding alerts once")
  func untilADay() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    // The year is far in the future, so that the day never has passed when the test runs.
    #expect(try night.run(asOf: "2126-11-20 03:00").fires(.newError))
    let name = try night.name(of: "1 book")
    let done = try night.acts().acknowledge([name], because: "asked, waits", until: "2126-11-22")
    #expect(done.map(\.subject) == ["1 book"])
    try night.expect(
      query: """
        select finding.status, until_on, because, acknowledged_by, acknowledgement.level,
            acknowledged_at > clock_timestamp() - interval '1 hour' as is_now
        from acknowledgement inner join finding using (finding_id)
        """,
      gives: """
        status       | until_on   | because      | acknowledged_by | level | is_now
        acknowledged | 2126-11-22 | asked, waits | anna            | error | t
        """)
    for day in ["2126-11-21", "2126-11-22"] {
      let summary = try night.run(asOf: "\(day) 23:59")
      #expect(summary.findings.map(\.open) == [2])
      #expect(summary.findings.map(\.acknowledged) == [1])
      #expect(summary.fires(.error) && !summary.fires(.newError))
      #expect(try night.status(of: "1 book") == "acknowledged")
      #expect(try night.status(of: "2 book") == "open")
    }
    let back = try night.run(asOf: "2126-11-23 00:00")
    #expect(back.fires(.newError))
    #expect(back.findings.map(\.new) == [0] && back.findings.map(\.reopened) == [1])
    #expect(try night.status(of: "1 book") == "reopened")
    try night.expect(
      report: "changes.csv",
      shows: """
        subject | change   | cause                 | age_days
        1 book  | reopened | acknowledgement_ended | 3
        """)
    let next = try night.run(asOf: "2126-11-24 03:00")
    #expect(!next.fires(.newError))
  }

  @Test("an acknowledged finding triggers no --fail-on; reopened by hand, it is open but not new")
  func silences() throws {
    let night = try TestNight.withMissingBooks("1")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    _ = try night.acts().acknowledge([name], because: "known", until: nil)
    let quiet = try night.run(asOf: "2026-11-21 03:00")
    for limit in FailOn.allCases { #expect(!quiet.fires(limit)) }
    #expect(try night.acts(by: "bert").reopen([name], note: "no, it is not").count == 1)
    let loud = try night.run(asOf: "2026-11-22 03:00")
    #expect(try night.status(of: "1 book") == "reopened")
    #expect(loud.fires(.error) && !loud.fires(.newError))
    try night.expect(
      query: "select ended_because, ended_by, ended_note from acknowledgement",
      gives: "ended_because | ended_by | ended_note\nreopened | bert | no, it is not")
    expectRefused("not acknowledged: its status is reopened. Leave it out; tieout findings ") {
      _ = try night.acts().reopen([name])
    }
    let told = try Inquiry(about: "1", database: night.database.connectionString).explanation
      .things.flatMap(\.timeline).filter { ["acknowledged", "reopened"].contains($0.event) }
    #expect(
      told.map(\.words) == [
        "finding \(name) acknowledged by anna: known",
        "finding \(name) reopened by bert: no, it is not",
      ])
  }

  @Test("an acknowledgement ends when the finding resolves; a reopened finding alerts")
  func resolves() throws {
    let night = try TestNight.withMissingBooks("1")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    _ = try night.acts().acknowledge([name], because: "known", until: nil)
    try night.deliver("1", at: "2026-11-20 10:00")
    #expect(try night.run(asOf: "2026-11-21 03:00").resolved == 1)
    expectRefused("is resolved and cannot be acknowledged. Leave it out; tieout findings ") {
      _ = try night.acts().acknowledge([name], because: "known", until: nil)
    }
    try night.deliver("1", at: "2026-11-21 10:00", status: "failed")
    #expect(try night.run(asOf: "2026-11-22 03:00").fires(.newError))
    #expect(try night.status(of: "1 book") == "reopened")
    try night.expect(
      query: "select ended_because, ended_run_id from acknowledgement",
      gives: "ended_because | ended_run_id\nresolved | 2")
  }

  @Test("a finding alerts again when its level rises, but not for another reason of the same level")
  func worse() throws {
    let night = try TestNight.withOpenBooks()
    try night.catalogue("product_id | prices\nbook | USD 1.99")
    try night.transactions(
      "transaction_id | product_id | purchased_at\n1 | book | 2026-11-10 10:00")
    // The log is empty, so the level is warning.
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    _ = try night.acts().acknowledge([name], because: "the log is late", until: nil)
    try night.deliver("1", at: "2026-11-20 10:00", status: "failed")
    #expect(try night.run(asOf: "2026-11-21 03:00").fires(.newError))
    try night.expect(
      report: "changes.csv",
      shows: "level | change | cause\nerror | reopened | level_rose")
    _ = try night.acts().acknowledge([name], because: "on it", until: nil)
    try night.deliver("1", at: "2026-11-21 10:00", status: "pending")
    let same = try night.run(asOf: "2026-11-22 03:00")
    #expect(!same.fires(.error))
    #expect(try night.status(of: "1 book") == "acknowledged")
  }

  @Test("a later acknowledgement replaces an earlier one, and both are kept")
  func replaced() throws {
    let night = try TestNight.withMissingBooks("1")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    _ = try night.acts().acknowledge([name], because: "first", until: nil)
    _ = try night.acts(by: "bert").acknowledge([name], because: "second", until: "9999-12-31")
    try night.expect(
      query: """
        select because, acknowledged_by, until_on, ended_because, ended_by from acknowledgement
        order by acknowledgement_id
        """,
      gives: """
        because | acknowledged_by | until_on   | ended_because | ended_by
        first   | anna            |            | replaced      | bert
        second  | bert            | 9999-12-31 |               |
        """)
  }

  @Test("a name can be shortened if it stays unique; all given names are acknowledged or none")
  func names() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.run(asOf: "2026-11-20 03:00")
    let (one, other) = (try night.name(of: "1 book"), try night.name(of: "2 book"))
    // printf 'missing_delivery Production 1 book' | sha256sum
    #expect(one == "F-f76c6072acaa")
    let acts = try night.acts()
    expectRefused("F-000000000000 does not exist") {
      _ = try acts.acknowledge([one, "F-000000000000"], because: "x", until: nil)
    }
    for text in ["", "F-", "F-12", "F-12x45", "1 book", "17", "\(one)0", "F-１２３４"] {
      expectRefused("is not the name of a finding") {
        _ = try acts.acknowledge([one, text], because: "x", until: nil)
      }
    }
    expectRefused("has passed") {
      _ = try acts.acknowledge([one], because: "x", until: "2020-01-01")
    }
    for day in ["2126-02-30", "tomorrow", "1.1.2126", "infinity", "0000-01-01"] {
      expectRefused("is not a day") { _ = try acts.acknowledge([one], because: "x", until: day) }
    }
    expectRefused("--because") { _ = try acts.acknowledge([one], because: " \n", until: nil) }
    expectRefused("--by") { _ = try night.acts(by: "") }
    try night.expect(
      query: "select count(*) as acknowledgements from acknowledgement",
      gives: "acknowledgements\n0")

    let shortest = one.commonPrefix(with: other).count + 1
    let beginning = String(one.prefix(max(6, shortest)))
    _ = try acts.acknowledge(
      [beginning.uppercased(), String(one.dropFirst(2)), one], because: "x", until: nil)
    try night.expect(
      query: "select subject, status from finding order by subject",
      gives: "subject | status\n1 book | acknowledged\n2 book | open")
  }

  @Test("the message lists the findings that an ambiguous name could mean")
  func ambiguous() throws {
    let night = try TestNight.withMissingBooks("1", "2")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    let connection = try night.database.connect()
    // A test cannot find two real names with the same beginning, so the names are set here.
    try connection.run(
      """
      alter table tieout.finding alter column name drop expression;
      update tieout.finding set name = left('\(name)', 6) || lpad(finding_id::text, 8, '0')
      """, step: "test")
    expectRefused("missing_delivery 2 book") {
      _ = try night.acts().acknowledge([String(name.prefix(6))], because: "x", until: nil)
    }
  }

  @Test("acknowledging waits for a night that changes the finding, and then sees the new status")
  func besideANight() throws {
    let night = try TestNight.withMissingBooks("1")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    let running = try night.database.connect()
    try running.run("begin; update tieout.finding set status = 'resolved'", step: "test")
    let (settings, place) = (night.settings, night.database.connectionString)
    let result = Waited()
    let thread = Thread {
      let said: String
      do {
        _ = try FindingActs(settings: settings, database: place, person: "anna")
          .acknowledge([name], because: "x", until: nil)
        said = "done"
      } catch { said = "\(error)" }
      result.said.withLock { $0 = said }
    }
    thread.start()
    let asking = try night.database.connect()
    var isWaiting = false
    for _ in 0..<6000 where !isWaiting {
      let waits = try asking.run(
        """
        select exists (
            select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
        )
        """, step: "test")
      isWaiting = waits.first == "t"
      Thread.sleep(forTimeInterval: 0.01)
    }
    #expect(isWaiting)
    try running.run("commit", step: "test")
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) }
    #expect(result.said.withLock { $0 }.contains("is resolved"))
    try night.expect(
      query: "select count(*) as acknowledgements from acknowledgement",
      gives: "acknowledgements\n0")
  }

  @Test("an acknowledgement outlives the finding that retention drops")
  func retention() throws {
    let night = try TestNight.withMissingBooks("1")
    night.settings.keepClosedDays = 1
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    _ = try night.acts().acknowledge([name], because: "known", until: nil)
    try night.deliver("1", at: "2026-11-20 10:00")
    try night.run(asOf: "2026-11-21 03:00")
    try night.run(asOf: "2026-11-25 03:00")
    try night.expect(
      query: """
        select finding, finding_id, because, (select count(*) from finding) as findings
        from acknowledgement
        """,
      gives: "finding | finding_id | because | findings\n\(name) | | known | 0")
  }
}
