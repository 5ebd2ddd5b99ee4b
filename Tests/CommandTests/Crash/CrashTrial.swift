import Glibc

/// One way to break a run off: one process after the other, each with a plan for its points.
struct CrashTrial: CustomStringConvertible, Sendable {
  /// The plans of the processes, as `TIEOUT_EFFECTS` takes them.
  let plans: [String]
  /// Whether the point is one where a file or the commit is at stake; these come first.
  let isCritical: Bool

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

  /// The points at which something happens to a file, or once for all.
  private static let critical: Set = [
    "create", "write", "synchronize", "rename", "link", "remove", "commit", "lock", "program",
  ]
  private static let ofFiles: Set = [
    "create", "write", "synchronize", "rename", "link", "remove", "lock", "program",
  ]

  /// Kills at every point: before it, while the server does it, and once more in the run after it.
  static func kills(_ points: [String], seed: UInt64) -> [CrashTrial] {
    var random = SeededNumbers(seed: seed)
    return points.enumerated().flatMap { index, point in
      let number = index + 1
      let isCritical = critical.contains(point)
      let second = Int.random(in: 1...points.count + 40, using: &random)
      var trials = [CrashTrial(["kill \(number)"], isCritical: isCritical)]
      if point == "statement" || point == "commit" {
        trials.append(CrashTrial(["kill \(number) unanswered"], isCritical: point == "commit"))
      }
      trials.append(CrashTrial(["kill \(number)", "kill \(second)"]))
      return trials
    }
  }

  /// Errors at every point, those of files and those of the server, once and from there on; and the wish
  /// that the run should stop.
  static func errors(_ points: [String], seed: UInt64) -> [CrashTrial] {
    var random = SeededNumbers(seed: seed)
    let numbers = [ENOSPC, EIO, EACCES, EROFS, EDQUOT]
    let states = ["40001", "40P01", "55P03", "57014", "53100", "53300", "25006", "58030"]
    return points.enumerated().flatMap { index, point in
      let number = index + 1
      let isCritical = critical.contains(point)
      var faults: [String]
      switch point {
      case _ where ofFiles.contains(point):
        faults = numbers.shuffled(using: &random).prefix(2).map { "errno \($0)" }
      case "connect", "chunk":
        faults = ["lost"]
      default:
        faults = ["lost", "unanswered"]
        faults += states.shuffled(using: &random).prefix(2).map { "state \($0)" }
      }
      var trials = faults.map { CrashTrial(["fail \(number) \($0)"], isCritical: isCritical) }
      trials.append(CrashTrial(["fails \(number) \(faults[0])"]))
      trials.append(CrashTrial(["stop \(number)"]))
      return trials
    }
  }

  /// The exit statuses that a run with this plan may end with, beside those of one that was not disturbed.
  static func statuses(of plan: String, private isPrivate: Bool) -> Set<Int32> {
    let words = plan.split(separator: " ")
    switch (words.first, words.dropFirst(2).first) {
    case ("kill", _): return [137]
    case ("stop", _): return [75]
    case (_, "errno"): return isPrivate ? [69, 73] : [73]
    case (_, "lost"), (_, "unanswered"): return [69]
    default:
      let passing: Set = ["40001", "40P01", "55P03", "57014"]
      return passing.contains(words.last.map(String.init) ?? "") ? [75] : [69]
    }
  }
}
