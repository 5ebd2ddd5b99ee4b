import Configuration
import Findings
import Foundation
import NightRun
import ReconciliationTestSupport
import Runs
import Testing

@Suite("Acknowledgements from files")
struct FileAcknowledgementTests {
  private static let kept = """
    select subject, status, because, acknowledged_by, until_on, ended_because
    from acknowledgement inner join finding using (finding_id)
    order by subject, acknowledgement_id
    """

  /// The counts of acknowledgements in the last run.
  private func counts(_ night: TestNight) throws -> String {
    try night.table("control_totals.csv").rows(where: "section", is: "acknowledgements").rows
      .map { $0[2] }.joined(separator: " ")
  }

  @Test("each acknowledgement counts once; one that cannot be used is rejected with its reason")
  func reasons() throws {
    let night = try TestNight.withMissingBooks("1", "2", "3")
    try night.run(asOf: "2026-11-20 03:00")
    let names = try ["1 book", "2 book", "3 book"].map { try night.name(of: $0) }
    try night.deliver("3", at: "2026-11-20 10:00")
    try night.acknowledgements(
      [
        [names[0], "2026-11-22", "known", "anna"],
        [names[1].lowercased(), "", "\"known, too\"", "bert"],
        ["F-000000000000", "", "why", "anna"],
        ["F-", "", "why", "anna"],
        [names[2], "", "why", "anna"],
        [names[1], "2026-11-20", "why", "anna"],
        [names[1], "someday", "why", "anna"],
        [names[1], "", "", "anna"],
        [names[0], "2026-11-22", "known", "anna"],
      ], at: "a.csv")
    let summary = try night.run(asOf: "2026-11-21 03:00")
    #expect(summary.rejected == 6)
    #expect(summary.findings.map(\.acknowledged) == [2])
    try night.expect(
      report: "rejected_records.csv",
      shows: """
        file                   | line | kind            | reason           | excerpt
        acknowledgements/a.csv | 4    | acknowledgement | unknown_finding  | F-000000000000,,why,anna
        acknowledgements/a.csv | 5    | acknowledgement | unknown_finding  | F-,,why,anna
        acknowledgements/a.csv | 6    | acknowledgement | resolved_finding | \(names[2]),,why,anna
        acknowledgements/a.csv | 7    | acknowledgement | past_day         | \(names[1]),2026-11-20,why,anna
        acknowledgements/a.csv | 8    | acknowledgement | bad_date         | \(names[1]),someday,why,anna
        acknowledgements/a.csv | 9    | acknowledgement | missing_field    | \(names[1]),,,anna
        """)
    #expect(try counts(night) == "9 2 1 6")
    // A file can give any name; the run that read it was somebody's.
    #expect(
      try night.database.draw(
        """
        select count(*) from acknowledgement inner join run on acknowledgement.run_id = run.run_id
        where acknowledged_system_user = started_by and acknowledged_role = session_user
        """) == "count\n2")
    try night.expect(
      query: Self.kept,
      gives: """
        subject | status       | because    | acknowledged_by | until_on   | ended_because
        1 book  | acknowledged | known      | anna            | 2026-11-22 |
        2 book  | acknowledged | known, too | bert            |            |
        """)
    // The file grows. Its earlier lines are known, including the acknowledgement that a person
    // ended.
    _ = try night.acts().reopen([names[1]])
    try night.acknowledgements(
      [
        [names[0], "2026-11-22", "known", "anna"],
        [names[1].lowercased(), "", "\"known, too\"", "bert"],
        [names[0], "2026-12-24", "longer", "anna"],
      ], at: "a.csv")
    let grown = try night.run(asOf: "2026-11-22 03:00")
    #expect(grown.rejected == 0)
    #expect(try counts(night) == "3 1 2 0")
    try night.expect(
      query: Self.kept,
      gives: """
        subject | status       | because    | acknowledged_by | until_on   | ended_because
        1 book  | acknowledged | known      | anna            | 2026-11-22 | replaced
        1 book  | acknowledged | longer     | anna            | 2026-12-24 |
        2 book  | reopened     | known, too | bert            |            | reopened
        """)
    #expect(try night.run(asOf: "2026-11-22 03:00").rejected == 0)
    #expect(try counts(night) == "3 1 2 0")
  }

  @Test("a run of a past day rejects an acknowledgement that ended before the newest night")
  func pastDay() throws {
    let night = try TestNight.withMissingBooks("1")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    try night.acknowledgements([[name, "2026-11-18", "known", "anna"]], at: "a.csv")
    let past = try night.run(asOf: "2026-11-15 03:00")
    #expect(past.rejected == 1)
    try night.expect(
      query: "select status from finding where rule = 'missing_delivery'", gives: "status\nopen")
    // What the page and the control totals say.
    try night.acknowledgements([["F-000000000000", "", "why", "anna"]], at: "b.csv")
    try night.run(asOf: "2026-11-21 03:00")
    let unread = try night.table("control_totals.csv").rows(where: "section", is: "unread")
    #expect(unread.columns(["measure", "value"]).rows == [["files", "0"], ["records", "1"]])
  }

  @Test("acknowledgements apply in a new database, in the first night that finds the finding")
  func builtAnew() throws {
    let night = try TestNight.withMissingBooks("1")
    try night.run(asOf: "2026-11-20 03:00")
    try night.acknowledgements(
      [[try night.name(of: "1 book"), "2026-12-24", "known", "anna"]], at: "a.csv")
    try night.run(asOf: "2026-11-21 03:00")
    let findings = try night.report("findings.csv")
    let other = try TestNight.withOpenBooks()
    try FileManager.default.removeItem(at: other.inbox)
    try FileManager.default.copyItem(at: night.inbox, to: other.inbox)
    let summary = try other.run(asOf: "2026-11-21 03:00")
    #expect(summary.rejected == 0)
    #expect(!summary.fires(.error) && !summary.fires(.newError))
    let opened = findings.replacing("2026-11-20,acknowledged", with: "2026-11-21,acknowledged")
    #expect(try other.report("findings.csv") == opened)
  }

  @Test("any order of rows and files gives the same acknowledgements")
  func anyOrder() throws {
    let first = try TestNight.withMissingBooks("1")
    try first.run(asOf: "2026-11-20 03:00")
    let name = try first.name(of: "1 book")
    var results: Set<String> = []
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
      for isSplit in [false, true] {
        let night = try TestNight(copyOf: first)
        let rows = [
          [name, "2026-12-01", "a", "anna"], [name, "2026-12-24", "c", "anna"],
          [name, "2026-12-24", "b", "bert"], [name, "2026-11-30", "d", "anna"],
        ]
        if isSplit {
          for (number, row) in order.enumerated() {
            try night.acknowledgements([rows[row]], at: "\(number).csv")
          }
        } else {
          try night.acknowledgements(order.map { rows[$0] }, at: "all.csv")
        }
        try night.run(asOf: "2026-11-21 03:00")
        results.insert(
          try night.database.draw(
            "select because, until_on, ended_because from acknowledgement order by because"))
      }
    }
    #expect(
      results == [
        DrawnTable(
          """
          because | until_on   | ended_because
          a       | 2026-12-01 | replaced
          b       | 2026-12-24 |
          c       | 2026-12-24 | replaced
          d       | 2026-11-30 | replaced
          """
        ).text
      ])
  }

  @Test("with more rejected acknowledgements than max_rejected, nothing is acknowledged")
  func maxRejected() throws {
    let night = try TestNight.withMissingBooks("1")
    try night.run(asOf: "2026-11-20 03:00")
    let name = try night.name(of: "1 book")
    try night.acknowledgements(
      [[name, "", "known", "anna"], ["F-000000000000", "", "x", "anna"]], at: "a.csv")
    night.settings.maxRejected = .count(0)
    #expect {
      try night.run(asOf: "2026-11-21 03:00")
    } throws: { error in
      (error as? ReconciliationError)?.code == .tooMuchRejected
        && "\(error)".contains("unknown_finding")
    }
    try night.expect(
      query: "select status, (select count(*) from acknowledgement) as kept from finding",
      gives: "status | kept\nopen | 0")
    night.settings.maxRejected = .count(1)
    #expect(try night.run(asOf: "2026-11-21 03:00").findings.map(\.acknowledged) == [1])
  }
}
