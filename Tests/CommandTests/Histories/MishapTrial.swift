import DamageTestSupport
import Foundation
import Glibc
import Oracle

/// A command on the private server that a mishap disturbs, and that is run again until it is done.
struct MishapTrial {
  let words: [String]
  let settings: [String: String]
  /// The exit statuses of the command when it is done.
  let statuses: Set<Int32>
  let place: HistoryPlace
  /// The number of points of the command on a server that it does not start.
  let points: Int
  /// Whether the mishap came before the end of the command.
  private(set) var hasHappened = false
  private(set) var problems: [String] = []
  /// A readable record of the events.
  private(set) var story: [String] = []

  /// The seconds after which a command counts as one that never ends.
  ///
  /// No command here takes a tenth of this time.
  private static let patience = 240

  init(
    words: [String], settings: [String: String], statuses: Set<Int32>, place: HistoryPlace,
    points: Int
  ) {
    self.words = words
    self.settings = settings
    self.statuses = statuses
    self.place = place
    self.points = points
  }

  /// Runs the command with a mishap, and again if it is not done.
  ///
  /// - Throws: ``HistoryProblem`` if the command is not done after that.
  mutating func run(_ mishap: Mishap, _ random: inout Dice) throws {
    let isDone =
      switch mishap {
      case .none: false
      case .kill: try plainly("kill", [137], &random)
      case .stop: try plainly("stop", [75, isNight ? 75 : 128 + SIGTERM], &random)
      case .pause: try besideSecond(&random)
      case .backend, .postmaster: try losing(mishap, &random)
      }
    guard !isDone else { return }
    let ended = try end(of: start())
    guard statuses.contains(ended.status) else {
      throw HistoryProblem(
        "\(words.joined(separator: " ")) ended with \(ended.status): \(ended.errors)")
    }
  }

  /// Whether the command is one of those that handle SIGTERM.
  private var isNight: Bool {
    ["run", "recompute", "rebuild", "forget"].contains(words.first ?? "")
  }

  private func start(_ effects: String = "-") throws -> Program {
    try place.start(words, settings: settings, effects: effects)
  }

  /// Draws a point: at the start of the server, anywhere, or near the end.
  ///
  /// - Parameter early: The probability of a point at the start of the server, in percent.
  private func drawPoint(_ random: inout Dice, early: Int = 30) -> Int {
    if random.chance(early) { return random.number(1...14) }
    return random.chance(70)
      ? random.number(1...max(1, points)) : max(1, points + random.number(-8...16))
  }

  /// Runs the command with a signal at one point.
  private mutating func plainly(
    _ plan: String, _ others: Set<Int32>, _ random: inout Dice
  ) throws -> Bool {
    let point = drawPoint(&random)
    let ended = try end(of: start("- \(plan) \(point)"))
    hasHappened = others.contains(ended.status)
    story.append("\(plan) \(point): ended with \(ended.status)")
    return try judge(ended, others)
  }

  /// Suspends the command at a point, and runs the same command beside it.
  private mutating func besideSecond(_ random: inout Dice) throws -> Bool {
    // While a command starts the server, it holds locks that other commands wait for.
    guard let first = try paused(&random, early: 50) else { return true }
    let second = try start()
    var isTold = false
    if second.waits(for: [.isEnded], atMost: 3) != .isEnded {
      isTold = true
      second.send(SIGTERM)
    }
    let other = try end(of: second, atMost: isTold ? 60 : Self.patience) {
      first.send(SIGKILL)
      _ = try? first.ended()
    }
    story.append("the second one\(isTold ? ", told to stop," : "") ended with \(other.status)")
    // A command that takes only a moment does not handle SIGTERM.
    _ = try judge(other, [75, 69, isTold && !isNight ? 128 + SIGTERM : 75])
    if random.chance(50) {
      first.send(SIGKILL)
      story.append("the first one is killed")
      _ = try first.ended()
      return false
    }
    first.send(SIGCONT)
    let ended = try end(of: first)
    story.append("the first one goes on, and ended with \(ended.status)")
    return try judge(ended, [75, 69])
  }

  /// Suspends the command at a point, and kills a process of its server.
  private mutating func losing(_ mishap: Mishap, _ random: inout Dice) throws -> Bool {
    guard let program = try paused(&random, early: 10) else { return true }
    guard case .own(let place) = place.keeping else { return false }
    let processes = mishap == .postmaster ? place.postmaster : place.backends
    if let process = processes.randomElement(using: &random) {
      kill(process.number, SIGKILL)
      story.append("killed: \(process.name)")
    } else {
      hasHappened = false
      story.append("no server was there")
    }
    program.send(SIGCONT)
    let ended = try end(of: program)
    story.append("ended with \(ended.status)")
    return try judge(ended, [69, 75])
  }

  /// Starts the command and waits until it is suspended at a point; nil if it was done before that.
  private mutating func paused(_ random: inout Dice, early: Int) throws -> Program? {
    let point = drawPoint(&random, early: early)
    let program = try start("- halt \(point)")
    if program.waits(for: [.isPaused, .isEnded], atMost: Self.patience) == .isPaused {
      hasHappened = true
      story.append("halt \(point)")
      return program
    }
    let ended = try end(of: program)
    story.append("halt \(point): ended with \(ended.status)")
    guard statuses.contains(ended.status) else {
      throw HistoryProblem("ended with \(ended.status): \(ended.errors)")
    }
    return nil
  }

  /// Whether the command is done.
  ///
  /// An exit status that is not allowed is recorded as a problem.
  private mutating func judge(_ ended: Program.Ended, _ others: Set<Int32>) throws -> Bool {
    if statuses.contains(ended.status) { return true }
    if !others.contains(ended.status) {
      problems.append("ended with \(ended.status): \(ended.errors)")
    } else if ended.status == 69 || ended.status == 75,
      ended.errors.split(separator: "\n").count(where: { $0.hasPrefix("tieout: ") }) != 1
    {
      problems.append("ended with \(ended.status) and said \(ended.errors)")
    }
    return false
  }

  /// Waits for the end.
  ///
  /// A process that does not end in time is killed, and the history fails.
  private func end(
    of program: Program, atMost seconds: Int = MishapTrial.patience, orElse tidy: () -> Void = {}
  ) throws -> Program.Ended {
    guard program.waits(for: [.isEnded], atMost: seconds) != .isEnded else {
      return try program.ended()
    }
    program.send(SIGKILL)
    tidy()
    let ended = try program.ended()
    throw HistoryProblem(
      "\(words.joined(separator: " ")) did not end in \(seconds) seconds: \(ended.errors)")
  }
}
