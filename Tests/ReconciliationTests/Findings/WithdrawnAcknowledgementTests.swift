import Configuration
import Findings
import Ledger
import NightRun
import ReconciliationTestSupport
import Testing

@Suite("A withdrawn file of acknowledgements")
struct WithdrawnAcknowledgementTests {
  /// Three missing books.
  ///
  /// One file acknowledges the first two, and a person acknowledges the last two.
  private func night() throws -> TestNight { try TestNight(copyOf: Self.first.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let first: Result<TestNight, any Error> = Result {
    let night = try TestNight.withMissingBooks("1", "2", "3")
    try night.run(asOf: "2026-11-20 03:00")
    let names = try ["1 book", "2 book", "3 book"].map { try night.name(of: $0) }
    try night.acknowledgements(
      [[names[0], "", "by mistake", "bert"], [names[1], "", "by mistake", "bert"]], at: "a.csv")
    try night.run(asOf: "2026-11-21 03:00")
    _ = try night.acts().acknowledge([names[1], names[2]], because: "ticket 17", until: nil)
    return night.removedAtExit()
  }

  private static let kept = """
    select subject, status, because, ended_because, ended_note
    from acknowledgement inner join finding using (finding_id)
    order by subject, acknowledgement_id
    """

  private static let takenBack = """
    subject | status       | because    | ended_because | ended_note
    1 book  | reopened     | by mistake | reopened      | Its file was withdrawn.
    2 book  | acknowledged | by mistake | replaced      |
    2 book  | acknowledged | ticket 17  |               |
    3 book  | acknowledged | ticket 17  |               |
    """

  @Test("a withdrawn file acknowledges nothing from then on; later acknowledgements by hand stay")
  func takenBack() throws {
    let night = try night()
    let files = try night.withdraw("acknowledgements/a.csv")
    #expect(files.map(\.reopened) == [[try night.name(of: "1 book")]])
    #expect(files.map(\.needsRebuild) == [false])
    #expect(files[0].records.map(\.kind) == ["acknowledgements"])
    #expect(files[0].records.map(\.count) == [2])
    try night.expect(query: Self.kept, gives: Self.takenBack)
    #expect(try night.withdraw("acknowledgements/a.csv").map(\.reopened) == [[]])

    // The finding alerts, but not as new. No warning asks for a rebuild, and a rebuild changes
    // nothing.
    let next = try night.run(asOf: "2026-11-22 03:00")
    #expect(next.unchangedFiles > 0 && next.rejected == 0)
    #expect(next.fires(.error) && !next.fires(.newError))
    #expect(!next.warnings.contains { $0.contains("tieout rebuild") })
    try night.expect(query: Self.kept, gives: Self.takenBack)
    try night.rebuild()
    try night.expect(query: Self.kept, gives: Self.takenBack)
  }

  @Test("after the withdrawal is undone, the lines count again that it had ended, and no others")
  func undone() throws {
    // Only a night applies acknowledgements, so a rebuild before it changes nothing.
    for (rebuildsBefore, rebuildsAfter) in [(false, false), (true, false), (false, true)] {
      let night = try night()
      try night.withdraw("acknowledgements/a.csv")
      if rebuildsBefore { try night.rebuild() }
      try night.undoWithdrawal("acknowledgements/a.csv")
      if rebuildsAfter { try night.rebuild() }
      try night.expect(query: Self.kept, gives: Self.takenBack)
      let summary = try night.run(asOf: "2026-11-22 03:00")
      #expect(summary.findings.map(\.acknowledged) == [3])
      try night.expect(
        query: Self.kept,
        gives: """
          subject | status       | because    | ended_because | ended_note
          1 book  | acknowledged | by mistake | reopened      | Its file was withdrawn.
          1 book  | acknowledged | by mistake |               |
          2 book  | acknowledged | by mistake | replaced      |
          2 book  | acknowledged | ticket 17  |               |
          3 book  | acknowledged | ticket 17  |               |
          """)
    }
  }

  @Test("a file that was withdrawn before it was loaded acknowledges nothing")
  func beforehand() throws {
    let night = try TestNight.withMissingBooks("1")
    try night.run(asOf: "2026-11-20 03:00")
    try night.acknowledgements([[try night.name(of: "1 book"), "", "known", "anna"]], at: "a.csv")
    #expect(try night.withdraw("acknowledgements/a.csv").map(\.reopened) == [[]])
    let summary = try night.run(asOf: "2026-11-21 03:00")
    #expect(summary.findings.map(\.acknowledged) == [0])
    #expect(try night.status(of: "1 book") == "open")
  }
}
