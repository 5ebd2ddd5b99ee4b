import DamageTestSupport
import Foundation
import Testing

@Suite("Random histories of commands") struct HistoryTests {
  @Test("a history contains every action and every mishap", arguments: 1...8 as ClosedRange<UInt64>)
  func everything(seed: UInt64) {
    let steps = HistoryPlan(seed: seed).steps
    #expect(Set(steps.map(\.action)) == Set(HistoryAction.allCases))
    #expect(Set(steps.map(\.mishap)) == Set(Mishap.allCases))
  }

  @Test(
    """
    a history with kills, pauses and lost servers gives the state of the same undisturbed commands \
    and of a fresh database with the same files, and leaves nothing behind
    """)
  func agree() throws {
    if let only = Torture.only {
      guard Torture.onlyKind == "history" else { return }
      let plan = try #require(
        HistoryPlan(named: only.trimmingPrefix("history: ")),
        "\(only) names no history, such as 'history: 17 without 3 5'")
      return try live(plan)
    }
    let limit = Torture.limit(orElse: 1)
    var seed = Torture.isWanted ? Torture.seed % 1_000_000_000 + 100 : RandomCases.firstSeed
    var lived = 0
    while !limit.isReached(after: lived) {
      try live(HistoryPlan(seed: seed))
      seed += 1
      lived += 1
    }
  }

  private func live(_ plan: HistoryPlan) throws {
    let history = try History(plan)
    defer { history.endServer() }
    history.live()
    var problems = history.problems
    if problems.isEmpty { problems += try history.differences() + history.remains() }
    Torture.count("histories", 1, " (\(plan.seed), \(plan.steps.count) steps)")
    let kinds = Mishap.allCases.compactMap { kind in
      history.mishaps[kind].map { "\(kind.rawValue) \($0)" }
    }.joined(separator: ", ")
    let mishaps = history.mishaps.values.reduce(0, +)
    Torture.count("mishaps", mishaps, " of history \(plan.seed) (\(kinds))")
    // A single mishap may come after the end of its command.
    let planned = plan.steps.count { $0.mishap != .none }
    #expect(
      planned < Mishap.allCases.count - 1 || mishaps > 0,
      "none of \(planned) mishaps disturbed a command of history \(plan.seed)")
    #expect(
      problems.isEmpty,
      """
      \(problems.joined(separator: "\n"))
      \(history.story.joined(separator: "\n"))
      Again: scripts/torture --only 'history: \(plan.seed)'; with fewer steps: 'history: \(plan.seed) without 3 5'
      """)
  }
}
