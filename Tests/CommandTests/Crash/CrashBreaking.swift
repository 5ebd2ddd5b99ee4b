import Foundation
import Glibc

/// The result of one trial.
struct CrashBreaking {
  /// The differences from the expected results.
  private(set) var problems: [String] = []
  /// The points at which a process was killed, and the points at which it had an error.
  private(set) var killed: Set<Int> = []
  private(set) var failed: Set<Int> = []
  /// The number of processes that were killed, and the number of processes that had an error.
  private(set) var kills = 0
  private(set) var errors = 0

  /// Interrupts one run after the other, checks the state after each, and lets the last run reach
  /// its end.
  init(_ trial: CrashTrial, in scene: CrashScene) throws {
    if trial.plans.count > 1 { try scene.listLaterPoints() }
    try scene.reset()
    var before = scene.before
    var isFirst = true
    var isAfterKill = false
    for (index, plan) in trial.plans.enumerated() {
      // Without tables the points have the same numbers.
      let numbered =
        isFirst || before.tables.isEmpty
        ? plan : scene.renumbered(plan, afterKill: isAfterKill)
      let ended = try scene.run(numbered)
      let place = "\(numbered), at \(try scene.lastPoint())"
      try count(plan, numbered, ended, in: scene)
      var statuses = allowed(plan, isFirst: isFirst, in: scene)
      // The same number can belong to another point. If that point opens a connection, each error
      // of the server means that there is no connection: 69.
      if try scene.point(of: numbered) == "connect" { statuses.insert(69) }
      if !statuses.contains(ended.status) {
        problems.append("\(place): ended with \(ended.status): \(ended.errors)")
      }
      let after = try scene.state()
      problems += Self.halves(after, before, in: scene).map { "\(place): \($0)" }
      if ended.status >= 64, ended.status != 137 {
        problems += Self.refusal(ended, plan, after, before, in: scene).map { "\(place): \($0)" }
      }
      before = after
      isFirst = false
      isAfterKill = ended.status == 137
      // Some errors do not fail the run. Then the run is done, and the next plan needs a run that
      // is not done.
      if !isAfterKill, index + 1 < trial.plans.count, after.tables == scene.undisturbed.tables {
        try scene.reset()
        before = scene.before
        isFirst = true
      }
    }
    try goToTheEnd(in: scene, afterError: !isAfterKill)
  }

  private mutating func count(
    _ plan: String, _ numbered: String, _ ended: Program.Ended, in scene: CrashScene
  ) throws {
    guard !plan.hasPrefix("outside") else {
      kills += ended.status == 137 ? 1 : 0
      return
    }
    let point = plan.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let arrived = numbered.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? .max
    if plan.hasPrefix("kill") {
      guard ended.status == 137 else { return }
      kills += 1
      killed.insert(point)
    } else if try scene.reached() >= arrived {
      errors += 1
      failed.insert(point)
    }
  }

  /// The exit statuses that an interrupted run may end with.
  private func allowed(_ plan: String, isFirst: Bool, in scene: CrashScene) -> Set<Int32> {
    var statuses = CrashTrial.statuses(of: plan)
    let isKill = plan.hasPrefix("kill")
    // Not every error fails a run. The second of two plans may name a point that does not exist. A
    // kill from outside can come too late.
    if !isKill || !isFirst { statuses.formUnion([scene.status, 0]) }
    if !isFirst { statuses.insert(75) }
    // Receipts without an answer are left for the next refresh.
    if scene.kind == .refresh, !isKill { statuses.insert(2) }
    // `tieout withdraw` takes only a moment and does not handle SIGTERM.
    if scene.kind == .withdraw, plan.hasPrefix("stop") { statuses.insert(128 + SIGTERM) }
    return statuses
  }

  private mutating func goToTheEnd(in scene: CrashScene, afterError isAfterError: Bool) throws {
    let last = try scene.runToTheEnd()
    guard last.status == scene.status || last.status == 0 else {
      problems.append("the next run ended with \(last.status): \(last.errors)")
      return
    }
    let state = try scene.state()
    // A night continues without a catalogue that cannot be fetched, and its reports then differ. A
    // day that is published after a later night contains what is known by then.
    let isLate = isAfterError && scene.kind == .unpublished
    let mayDiffer = scene.kind == .fetched && errors > 0
    let differences =
      mayDiffer
      ? []
      : state.differences(from: scene.undisturbed).filter {
        !isLate || !$0.hasPrefix("reports/2026-11-19/")
      }
    if !differences.isEmpty { problems.append("\(differences) are not what they would be") }
    let remains = try scene.remains(state)
    if !remains.isEmpty { problems.append("\(remains) are left over") }
  }

  /// The partial changes: tables that are neither as before nor as in the end, and folders that
  /// match no complete state.
  private static func halves(
    _ after: CrashState, _ before: CrashState, in scene: CrashScene
  ) -> [String] {
    var problems: [String] = []
    let isCommitted = after.tables == scene.undisturbed.tables
    let isAsBefore =
      after.tables == before.tables
      || scene.before.tables.isEmpty && after.tables == scene.emptyTables
    // A refresh keeps each answer separately. A night continues without a catalogue that cannot be
    // fetched.
    let isByPieces = scene.kind == .refresh || scene.kind == .fetched
    if !isCommitted, !isAsBefore, !isByPieces {
      problems.append("\(after.differences(fromTables: before.tables)) are changed in part")
    }
    // An earlier night that was committed and not published is published before the next night
    // changes anything.
    if !isCommitted, isAsBefore, !isByPieces, scene.kind != .unpublished {
      let changed = Set(after.files.keys).union(before.files.keys).filter {
        // The calendar shows a failed run at once.
        $0 != "reports/index.html" && after.files[$0] != before.files[$0]
      }
      if !changed.isEmpty {
        problems.append("\(changed.sorted()) are published, and nothing is committed")
      }
    }
    problems += scene.faults()
    let folders = after.folders
    for name in before.folders.keys where name.hasPrefix("reports/") && folders[name] == nil {
      // `tieout forget --remove-editions` removes the edition with the name.
      if scene.kind == .forget, isCommitted { continue }
      problems.append("\(name) is gone")
    }
    for (name, folder) in folders {
      let states = [before, scene.before, scene.undisturbed].map { $0.folders[name] }
      let isLink = name == "reports/latest"
      // The calendar lists the days that are shown, one more after each of several publications, and
      // the runs that failed.
      let isCalendar = name == "reports/index.html"
      if !states.contains(folder), !isLink, !isCalendar, scene.kind != .fetched {
        problems.append("\(name) is neither as before nor as in the end")
      }
    }
    return problems
  }

  /// The problems in how a run reports that it cannot continue.
  private static func refusal(
    _ ended: Program.Ended, _ plan: String, _ after: CrashState, _ before: CrashState,
    in scene: CrashScene
  ) -> [String] {
    var problems: [String] = []
    let lines = ended.errors.split(separator: "\n").filter { $0.hasPrefix("tieout: ") }
    if lines.count != 1 || ended.output != "" {
      problems.append("says \(ended.errors)\(ended.output)")
    }
    // With a plan `fails` all later effects fail too, so the run cannot remove its files.
    let isOver = after.tables == scene.undisturbed.tables
    let left = after.hidden.filter { !before.hidden.contains($0) }
    if !plan.hasPrefix("fails"), !isOver, !left.isEmpty {
      problems.append("\(left) are left over")
    }
    return problems
  }
}
