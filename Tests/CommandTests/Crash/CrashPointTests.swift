import DamageTestSupport
import Foundation
import Testing

@Suite("A command that is interrupted at any point") struct CrashPointTests {
  @Test(
    """
    a command that fails or is killed, and then is interrupted again, shows nothing half done, \
    and the next run gives the result of an undisturbed run
    """,
    arguments: CrashScene.Kind.allCases)
  func broken(kind: CrashScene.Kind) throws {
    guard Torture.onlyKind.map({ $0 == kind.rawValue }) ?? true else { return }
    let scene = try CrashScene(kind)
    var wanted = Self.order(scene.trials(seed: Torture.seed))
    #expect(wanted.count >= 10)
    if let only = Torture.only {
      let name = only.dropFirst(kind.rawValue.count + 2)
      if name != "all" { wanted = [CrashTrial(named: name)] }
    }
    if let part = Torture.part {
      wanted = wanted.indices.filter { $0 % part.of == part.number }.map { wanted[$0] }
    }
    let limit = Torture.limit(orElse: 2)
    let all = wanted.count
    var broken: [CrashBreaking] = []
    func attempt(_ trial: CrashTrial) throws {
      let breaking = try CrashBreaking(trial, in: scene)
      broken.append(breaking)
      #expect(
        breaking.problems.isEmpty,
        """
        \(breaking.problems.joined(separator: "; ")). \
        Again: scripts/torture --seed \(Torture.seed) --only '\(kind.rawValue): \(trial)'
        """)
      // A kill from outside may come too late. The first process always reaches its point.
      #expect(
        breaking.kills + breaking.errors > 0 || trial.isFromOutside,
        "\(kind.rawValue): \(trial): no process was killed, and none met an error")
    }
    for trial in wanted {
      let isLost = broken.count { !$0.problems.isEmpty } >= 20
      if isLost || limit.isReached(after: broken.count) { break }
      try attempt(trial)
    }
    #expect(!broken.isEmpty, "no trial of \(kind.rawValue) was executed")
    let isWhole =
      broken.count == all && Torture.part == nil
      && Torture.only.map { $0.hasSuffix(": all") } ?? true
    // After an error in the same row, a run may not reach a point again. Such a point gets a trial
    // of its own.
    if isWhole {
      let reached = broken.reduce(into: Set<Int>()) { $0.formUnion($1.killed) }
      for index in kind.range(of: scene.lines) where !reached.contains(index + 1) {
        try attempt(CrashTrial(["kill \(index + 1)"]))
      }
    }
    let lost = broken.count { !$0.problems.isEmpty }
    let points = kind.range(of: scene.lines).count
    let words =
      " in a \(kind.rawValue) run of \(points) (\(broken.count) of \(max(all, broken.count)) trials), "
      + (lost == 0 ? "all recovered" : "\(lost) not recovered")
    let killed = broken.reduce(into: Set<Int>()) { $0.formUnion($1.killed) }
    let failed = broken.reduce(into: Set<Int>()) { $0.formUnion($1.failed) }
    Torture.count("crash points", killed.count, words)
    Torture.tell("\(kind.rawValue) killed: \(killed.sorted())")
    Torture.tell("\(kind.rawValue) failed: \(failed.sorted())")
    Torture.count("kills", broken.reduce(0) { $0 + $1.kills }, words)
    Torture.count("points with errors", failed.count, words)
    Torture.count("injected errors", broken.reduce(0) { $0 + $1.errors }, words)
    guard isWhole else { return }
    let missing = kind.range(of: scene.lines).map { $0 + 1 }.filter {
      !killed.contains($0) || !failed.contains($0)
    }
    #expect(missing.isEmpty, "points that no run came to: \(missing.map { scene.lines[$0 - 1] })")
  }

  /// The trials in a random order that depends on the seed.
  ///
  /// One trial at a point where a file or the commit is at risk comes first, then one at another
  /// point, then the other ones at points at risk.
  private static func order(_ trials: [CrashTrial]) -> [CrashTrial] {
    var random = Dice(Torture.seed)
    let shuffled = trials.shuffled(using: &random)
    let (critical, others) = (shuffled.filter(\.isCritical), shuffled.filter { !$0.isCritical })
    return Array(critical.prefix(1)) + others.prefix(1) + critical.dropFirst() + others.dropFirst()
  }
}
