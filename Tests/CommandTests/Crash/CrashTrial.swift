import Glibc
import Oracle

/// The ways in which runs are broken off at one point: one process after the other, each with a plan.
struct CrashTrial: CustomStringConvertible, Sendable {
  /// The plans of the processes, as `TIEOUT_EFFECTS` takes them.
  ///
  /// Points have the numbers of a run that nothing disturbs. One plan is a test's own: `outside M` kills the
  /// process M milliseconds after it was started.
  let plans: [String]
  /// Whether the point is one where a file or the commit is at stake; these come first.
  let isCritical: Bool

  /// Whether processes are killed at moments and not at points.
  var isFromOutside: Bool { plans.contains { $0.hasPrefix("outside") } }

  /// As it is named to be repeated.
  var description: String { plans.joined(separator: ", ") }

  init(_ plans: [String], isCritical: Bool = false) {
    self.plans = plans
    self.isCritical = isCritical
  }

  /// The trial of a name.
  init(named name: Substring) {
    self.init(name.split(separator: ",").map { $0.trimmingPrefix(" ").description })
  }

  /// The points at which the system can refuse.
  static let ofSystem: Set = [
    "create", "write", "synchronize", "rename", "link", "remove", "lock", "program", "question",
  ]
  /// Those of them that are files, and what happens once for all.
  private static let critical = ofSystem.union(["commit"])

  /// All trials of a run: at each point errors and kills.
  ///
  /// A file, and whatever else is done once for all, has two trials of its own, each with a run to the end:
  /// errors; and a kill, and another one at the same point of the run that is to make it good. Statements of a
  /// transaction are taken four in a row, as none of them leaves anything if all is well, which is looked at
  /// after each.
  ///
  /// - Parameters:
  ///   - points: What the run does, in order.
  ///   - range: The points that are wanted, by their places in the list.
  ///   - first: The place from which on a broken run leaves something for good; there each way is a trial of
  ///     its own, as the next run is another.
  ///   - kind: Of small ones each way is a trial of its own everywhere.
  static func all(
    _ points: [String], in range: Range<Int>, apartFrom first: Int, of kind: CrashScene.Kind,
    seed: UInt64
  ) -> [CrashTrial] {
    var random = SplitMix64(seed: seed)
    var trials: [CrashTrial] = []
    var row: [[String]] = []
    for index in range {
      let number = index + 1
      let point = points[index]
      let isCritical = critical.contains(point)
      let isSample = Int.random(in: 0..<(kind.isSmall ? 4 : 24), using: &random) == 0
      let errors = errors(at: number, point, every: isSample, using: &random)
      let midst = ["statement", "commit"].contains(point) ? " unanswered" : ""
      let kills = ["kill \(number)", "kill \(number)\(midst)"]
      if kind.isSmall || index >= first {
        var ways = errors.map { [$0] } + [kills]
        ways += Set(kills).sorted().map { [$0] }
        trials += ways.map { CrashTrial($0, isCritical: isCritical) }
      } else if isCritical, !kind.isLikeLater {
        // Apart, so that both surely come to it: what an error leaves may be no such point any more.
        trials += [errors, kills].map { CrashTrial($0, isCritical: true) }
      } else {
        row.append(
          (isSample ? errors : errors.randomElement(using: &random).map { [$0] } ?? [])
            + [kills[Int.random(in: 0...1, using: &random)]])
        if row.count == 4 { trials.append(CrashTrial(row.flatMap { $0 })) }
        if row.count == 4 { row = [] }
      }
    }
    return row.isEmpty ? trials : trials + [CrashTrial(row.flatMap { $0 })]
  }

  /// Kills from outside, at moments of the seed's.
  static func outside(_ count: Int, seed: UInt64) -> [CrashTrial] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      CrashTrial(["outside \(Int.random(in: 0..<700, using: &random))"])
    }
  }

  /// One error of each code path, which one the seed says; or every error that there is.
  ///
  /// A broken connection is one path and a refusal of the server another, whatever its words; the wish to
  /// stop is a refusal too, as it cancels what the server does.
  private static func errors(
    at number: Int, _ point: String, every isEvery: Bool, using random: inout SplitMix64
  ) -> [String] {
    var paths: [[String]]
    switch point {
    case _ where ofSystem.contains(point):
      paths = [[ENOSPC, EIO, EACCES, EROFS, EDQUOT].map { "fail \(number) errno \($0)" }]
    case "connect", "chunk":
      paths = [["fail \(number) lost"], ["stop \(number)"]]
    default:
      let states = ["40001", "40P01", "55P03", "57014", "53100", "53300", "25006", "58030"]
      paths = [
        ["fail \(number) lost", "fail \(number) unanswered"],
        states.map { "fail \(number) state \($0)" } + Array(repeating: "stop \(number)", count: 4),
      ]
    }
    guard isEvery else { return paths.compactMap { $0.randomElement(using: &random) } }
    var every: [String] = []
    for error in paths.joined() + ["stop \(number)"] where !every.contains(error) {
      every.append(error)
    }
    // A question is asked again after a pause; one that always fails would take a minute.
    return point == "question" ? every : every + ["fails \(every[0].dropFirst(5))"]
  }

  /// The exit statuses that a run with this plan may end with, beside those of one that was not disturbed.
  static func statuses(of plan: String) -> Set<Int32> {
    let words = plan.split(separator: " ")
    switch (words.first, words.dropFirst(2).first) {
    case ("kill", _), ("outside", _): return [137]
    case ("stop", _): return [75]
    case (_, "errno"): return [73]
    case (_, "lost"), (_, "unanswered"): return [69]
    default:
      let passing: Set = ["40001", "40P01", "55P03", "57014"]
      return passing.contains(words.last.map(String.init) ?? "") ? [75] : [69]
    }
  }
}
