import Foundation
import Testing

@Suite("A night that breaks off at any point") struct CrashPointTests {
  @Test(
    "by SIGKILL, and once more while it is made good: the next run leads where it would have led",
    arguments: CrashScene.Kind.allCases)
  func killed(kind: CrashScene.Kind) throws {
    try Self.sweep(kind, "crash points", CrashTrial.kills)
  }

  @Test(
    "by an error, or because it was told to stop: it says so, publishes nothing, and the next run is whole",
    arguments: CrashScene.Kind.allCases)
  func failed(kind: CrashScene.Kind) throws {
    try Self.sweep(kind, "injected errors", CrashTrial.errors)
  }

  private static func sweep(
    _ kind: CrashScene.Kind, _ words: String, _ trials: ([String], UInt64) -> [CrashTrial]
  ) throws {
    let scene = try CrashScene(kind)
    #expect(scene.points.count > 100)
    var wanted = order(trials(scene.points, Torture.seed))
    let all = wanted.count
    if let only = Torture.only {
      let name = only.split(separator: ":").map { $0.trimmingPrefix(" ") }
      guard name.count == 2, name[0] == kind.rawValue,
        (name[1].hasPrefix("kill ")) == (words == "crash points")
      else { return }
      wanted = [CrashTrial(named: name[1])]
    }
    let end = Torture.end
    var done = 0
    var failures = 0
    for trial in wanted where Date.now < end && failures < 20 {
      let problems = try problems(of: trial, in: scene)
      done += 1
      failures += problems.isEmpty ? 0 : 1
      #expect(
        problems.isEmpty,
        """
        \(problems.joined(separator: "; ")). \
        Again: scripts/torture --seed \(Torture.seed) --only '\(kind.rawValue): \(trial)'
        """)
    }
    let result = failures == 0 ? "all recovered" : "\(failures) not recovered"
    Torture.count(words, done, " of \(all) in a \(kind.rawValue) night, \(result)")
  }

  /// Those at which a file or the commit is at stake, then the others; each in an order of the seed's.
  private static func order(_ trials: [CrashTrial]) -> [CrashTrial] {
    var random = SeededNumbers(seed: Torture.seed)
    let shuffled = trials.shuffled(using: &random)
    return shuffled.filter(\.isCritical) + shuffled.filter { !$0.isCritical }
  }

  private static func problems(of trial: CrashTrial, in scene: CrashScene) throws -> [String] {
    try scene.reset()
    var problems: [String] = []
    for (number, plan) in trial.plans.enumerated() {
      let before = try (scene.published(), scene.done())
      let ended = try scene.run(plan)
      let place = "\(plan), at \(scene.lastPoint())"
      var statuses = CrashTrial.statuses(of: plan, private: false)
      // Not every error is a reason to fail, and the second of two plans may name a point that is not there.
      if !plan.hasPrefix("kill") { statuses.formUnion([scene.status, 0]) }
      if number > 0 { statuses.formUnion([scene.status, 0, 75]) }
      if !statuses.contains(ended.status) {
        problems.append("\(place): ended with \(ended.status): \(ended.errors)")
      }
      guard ended.status >= 64, ended.status != 137 else { continue }
      let lines = ended.errors.split(separator: "\n").filter { $0.hasPrefix("tieout: ") }
      if lines.count != 1 || ended.output != "" {
        problems.append("\(place): says \(ended.errors)\(ended.output)")
      }
      if try scene.published() != before.0, try scene.done() == before.1 {
        problems.append("\(place): published something, though it ended with \(ended.status)")
      }
    }
    let last = try scene.runToTheEnd()
    if last.status != scene.status && last.status != 0 {
      problems.append("the next run ended with \(last.status): \(last.errors)")
      return problems
    }
    let differences = try scene.outcome().differences(from: scene.undisturbed)
    if !differences.isEmpty { problems.append("\(differences) are not what they would be") }
    let remains = try scene.remains()
    if !remains.isEmpty { problems.append("\(remains) are left over") }
    return problems
  }
}
