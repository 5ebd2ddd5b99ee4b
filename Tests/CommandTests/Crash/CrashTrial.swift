import DamageTestSupport
import Glibc

/// The plans for processes that are interrupted, one after the other.
struct CrashTrial: CustomStringConvertible, Sendable {
  /// The plans of the processes, as `TIEOUT_EFFECTS` takes them.
  ///
  /// Points have the numbers of an undisturbed run. One plan exists only in the tests: `outside M`
  /// kills the process M milliseconds after its start.
  let plans: [String]
  /// Whether a file or the commit is at risk at the point.
  ///
  /// Most of these trials come first.
  let isCritical: Bool

  /// Whether processes are killed after a time and not at a point.
  var isFromOutside: Bool { plans.contains { $0.hasPrefix("outside") } }

  /// The name with which the trial can be repeated.
  var description: String { plans.joined(separator: ", ") }

  init(_ plans: [String], isCritical: Bool = false) {
    self.plans = plans
    self.isCritical = isCritical
  }

  /// Creates the trial with this name.
  init(named name: Substring) {
    self.init(name.split(separator: ",").map { $0.trimmingPrefix(" ").description })
  }

  /// The effects that can fail with an error of the operating system.
  static let ofSystem: Set = [
    "create", "write", "synchronize", "rename", "link", "remove", "lock", "program", "question",
  ]
  /// These effects and the commit.
  ///
  /// Their results stay when a run is interrupted.
  private static let critical = ofSystem.union(["commit"])

  /// All trials of a run: errors and kills at each point.
  ///
  /// An effect whose result stays, such as a file or the commit, has two trials of its own. Each
  /// ends with a run to the end. The first trial has errors. The second has a kill, and another
  /// kill at the same point of the next run. SQL statements of a transaction are combined, four
  /// points in one trial, because none of them should leave anything behind. The state is checked
  /// after each run.
  ///
  /// - Parameters:
  ///   - points: The effects of the run, in order.
  ///   - range: The positions of the points that are tried.
  ///   - first: The first position at which an interrupted run leaves a permanent change. From
  ///     there each error is a trial of its own, because the next run has other points.
  ///   - kind: The kind of the scene. For a small kind each error is a trial of its own everywhere.
  static func all(
    _ points: [String], in range: Range<Int>, apartFrom first: Int, of kind: CrashScene.Kind,
    seed: UInt64
  ) -> [CrashTrial] {
    var random = Dice(seed)
    var trials: [CrashTrial] = []
    var row: [[String]] = []
    for index in range {
      let number = index + 1
      let point = points[index]
      let isCritical = critical.contains(point)
      let isSample = Int.random(in: 0..<(kind.isSmall ? 4 : 24), using: &random) == 0
      let errors = errors(at: number, point, every: isSample, using: &random)
      let midst = ["sqlStatement", "commit"].contains(point) ? " unanswered" : ""
      let kills = ["kill \(number)", "kill \(number)\(midst)"]
      if kind.isSmall || index >= first {
        var ways = errors.map { [$0] } + [kills]
        ways += Set(kills).sorted().map { [$0] }
        trials += ways.map { CrashTrial($0, isCritical: isCritical) }
      } else if isCritical, !kind.isLikeLater {
        // Errors and kills are separate trials, so that both reach the point. After an error the
        // next run may not have this point.
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

  /// Kills from outside, at random times that depend on the seed.
  static func outside(_ count: Int, seed: UInt64) -> [CrashTrial] {
    var random = Dice(seed)
    return (0..<count).map { _ in
      CrashTrial(["outside \(Int.random(in: 0..<700, using: &random))"])
    }
  }

  /// One random error of each code path, or every error.
  ///
  /// A broken connection is one code path. A refusal by the server is another, with any message. A
  /// signal to stop counts as a refusal, because it cancels the work of the server.
  private static func errors(
    at number: Int, _ point: String, every isEvery: Bool, using random: inout Dice
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
    // A request is sent again after a pause. A request that always fails would take a minute.
    return point == "question" ? every : every + ["fails \(every[0].dropFirst(5))"]
  }

  /// The exit statuses that a run with this plan may have, in addition to those of an undisturbed
  /// run.
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
