import DamageTestSupport
import Foundation
import Oracle
import ReconciliationTestSupport
import SigningTestSupport
import TestNeeds

/// A sequence of commands on a database with a private server, and the same commands on a database
/// where nothing disturbs them.
///
/// Each step is done twice. On the calm database nothing disturbs a command, and commands that
/// change nothing are left out. On the database with a private server a command is killed, stopped,
/// or loses its server. The command is then run again until it is done, as a user or the next night
/// would do.
final class History {
  let plan: HistoryPlan
  /// A readable record of the steps.
  private(set) var story: [String] = []
  /// The differences from the expected results.
  private(set) var problems: [String] = []
  /// The number of commands that each kind of mishap disturbed.
  private(set) var mishaps: [Mishap: Int] = [:]

  let night: CommandNight
  let files: HistoryFiles
  let place: Place
  let own: HistoryPlace
  let calm: HistoryPlace
  let roots: String
  private let input: NightInput
  private let accounts: [String]

  private(set) var settings = HistorySettings()
  private(set) var forgotten: Set<String> = []
  private var asOf: Int
  /// Whether a run for a past day has loaded files that no night has judged yet.
  private var isUnjudged = false
  /// Whether a withdrawal, or its undo, still needs a rebuild.
  private var needsRebuild = false

  init(_ plan: HistoryPlan) throws {
    self.plan = plan
    input = RandomNight(seed: plan.seed, accounts: 10).input
    asOf = input.asOf - 12 * 86_400
    night = try CommandNight()
    let authority = try night.night.trustTestAuthority()
    roots = night.night.trustedRootsInEnvironment
    let folder = night.night.folder
    files = try HistoryFiles(input, seed: plan.seed, in: folder) {
      try authority.sign(payload: $0)
    }
    place = try Place()
    own = HistoryPlace("own", .own(place), inbox: files.inbox, in: folder, roots: roots)
    calm = HistoryPlace(
      "calm", .shared(night.night.database), inbox: files.inbox, in: folder, roots: roots)
    accounts = Set(
      input.deliveries.compactMap(\.accountID) + input.receipts.compactMap(\.accountID)
    )
    .filter { $0.wholeMatch(of: /a-[0-9]+/) != nil }.sorted()
  }

  /// The as-of of the newest night, as the command line takes it.
  var newestAsOf: String { Self.text(asOf) }

  private static func text(_ asOf: Int) -> String { Instant(seconds: asOf).rfc3339 }

  /// Performs all steps, and then the runs that make the state comparable.
  func live() {
    do {
      for step in plan.steps { try perform(step) }
      try settle()
    } catch {
      problems.append("\(error)")
    }
  }

  private func perform(_ step: HistoryStep) throws {
    var random = Dice(step.seed)
    story.append("\(step)")
    switch step.action {
    case .night:
      note("arrives: \(try files.arrive(random.number(2...12), &random))")
      try runNight(step, &random)
    case .settings:
      note(settings.change(&random))
      try runNight(step, &random)
    case .pastDay:
      note("arrives: \(try files.arrive(random.number(0...3), &random))")
      let day = asOf - random.number(1...10) * 86_400 - random.number(0...3600)
      try run(["run", "--as-of", Self.text(day)], allowing: [0, 2], step, &random)
      files.areLoaded()
      isUnjudged = true
    case .dryRun:
      let words = random.pick(
        ["run", "--as-of", Self.text(asOf + 86_400)], rebuild,
        ["forget", accounts.randomElement(using: &random) ?? "a-0"])
      try run(words + ["--dry-run"], allowing: [0, 2], isForCalm: false, step, &random)
    case .recompute:
      // `recompute` changes nothing, unless loaded files are not judged yet.
      try run(["recompute"], allowing: [0], isForCalm: isUnjudged, step, &random)
      isUnjudged = false
    case .rebuild:
      try run(rebuild, allowing: [0, 2], step, &random)
      needsRebuild = false
      isUnjudged = false
    case .forget:
      let account = accounts.randomElement(using: &random) ?? "a-0"
      try run(["forget", account], allowing: [0], step, &random)
      forgotten.insert(String(account.dropFirst(2)))
      isUnjudged = false
    case .withdraw:
      guard let file = files.drawToWithdraw(&random) else { return note("nothing") }
      try run(["withdraw", file.name, "--because", "wrong"], allowing: [0], step, &random)
      files.withdraw(file.sha256)
      needsRebuild = true
    case .undo:
      guard let sha256 = files.withdrawn.sorted().randomElement(using: &random) else {
        return note("nothing")
      }
      try run(["withdraw", "--undo", sha256], allowing: [0], step, &random)
      files.takeBack(sha256)
      needsRebuild = true
    case .acknowledge: try acknowledge(step, &random)
    case .archive: note("archived: \(try files.archive(&random))")
    case .rename: note("renamed: \(try files.rename(&random))")
    }
  }

  private var rebuild: [String] { ["rebuild", "--archive", files.archive.path] }

  private func runNight(_ step: HistoryStep, _ random: inout Dice) throws {
    asOf += random.pick(0, 1, 3600, 86_400, 86_400, 3 * 86_400)
    try run(["run", "--as-of", newestAsOf], allowing: [0, 2], step, &random)
    files.areLoaded()
    isUnjudged = false
  }

  /// Acknowledges an open finding by command, or by a file that the next night reads.
  private func acknowledge(_ step: HistoryStep, _ random: inout Dice) throws {
    // Findings about a token have another name in each database.
    let names = try calm.ask(
      """
      select name from tieout.finding
      where status in ('open', 'reopened') and subject !~ 'f:[0-9a-f]{8}' order by name
      """)
    guard let name = names.randomElement(using: &random) else { return note("nothing is open") }
    if random.chance(40) {
      let until =
        random.chance(50) ? "" : Self.text(asOf + random.number(0...4) * 86_400).prefix(10)
      let text = "finding,until,because,by\n\(name),\(until),known,anna\n"
      try files.add(text, at: "acknowledgements/\(step.number).csv")
      note("by a file: \(name) until \(until)")
    } else {
      try run(["acknowledge", name, "--because", "known"], allowing: [0], step, &random)
    }
  }

  /// Completes the files and runs the last nights without a mishap, so that the state can be
  /// compared with a fresh database.
  private func settle() throws {
    let last = HistoryStep(
      number: (plan.steps.last?.number ?? 0) + 1, action: .night, mishap: .none, seed: 0)
    var random = Dice(plan.seed)
    story.append("in the end")
    try files.complete()
    settings.admitAll()
    if needsRebuild { try run(rebuild, allowing: [0, 2], last, &random) }
    asOf += 86_400
    for _ in 0..<2 {
      // The second run finds nothing new, and must show the same results.
      try run(["run", "--as-of", newestAsOf], allowing: [0, 2], last, &random)
    }
  }

  /// Runs a command on both databases.
  ///
  /// On the private server the step's mishap disturbs it.
  private func run(
    _ words: [String], allowing statuses: Set<Int32>, isForCalm: Bool = true, _ step: HistoryStep,
    _ random: inout Dice
  ) throws {
    note("tieout \(words.joined(separator: " "))")
    let list = night.night.folder.appending(path: "points").path
    var points = 0
    if isForCalm || step.mishap != .none {
      // A command that must not change anything only needs its points counted.
      let counting = try isForCalm ? calm : copyOfCalm()
      defer { withExtendedLifetime(counting) {} }
      let ended = try counting.start(
        words, settings: settings.environment, effects: "\(list) "
      ).ended()
      guard statuses.contains(ended.status) else {
        throw HistoryProblem("the calm one ended with \(ended.status): \(ended.errors)")
      }
      points = try String(contentsOfFile: list, encoding: .utf8).count { $0 == "\n" }
    }
    var trial = MishapTrial(
      words: words, settings: settings.environment, statuses: statuses, place: own,
      points: points)
    defer {
      for line in trial.story { note(line) }
      problems += trial.problems.map { "\(step): \($0)" }
    }
    try trial.run(step.mishap, &random)
    if trial.hasHappened { mishaps[step.mishap, default: 0] += 1 }
  }

  /// A copy of the calm database, with the same reports.
  private func copyOfCalm() throws -> HistoryPlace {
    var copy: ScratchDatabase?
    // The server needs a moment to notice that the processes before are gone, and copies only a
    // database that no session uses.
    _ = eventually {
      copy = try? ScratchDatabase(copyOf: night.night.database)
      return copy != nil
    }
    guard let copy else { throw HistoryProblem("the calm database cannot be copied") }
    return HistoryPlace(
      "calm", .shared(copy), inbox: files.inbox, in: night.night.folder, roots: roots)
  }

  private func note(_ words: String) { story.append("    \(words)") }
}
