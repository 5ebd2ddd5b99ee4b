import Foundation
import Glibc
import Oracle

/// A command on the private server that something happens to, and that is run again until it is done.
struct MishapTrial {
  let words: [String]
  let settings: [String: String]
  /// How the command may end when it is done.
  let statuses: Set<Int32>
  let place: HistoryPlace
  /// How many points the command has on a server that it does not start.
  let points: Int
  /// Whether the mishap came before the end of the command.
  private(set) var hasHappened = false
  private(set) var problems: [String] = []
  /// What happened, for people.
  private(set) var story: [String] = []

  /// Seconds after which a command is taken for one that never ends; nothing here takes a tenth of it.
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

  /// Runs the command to its end.
  ///
  /// - Throws: ``HistoryProblem`` if it is never done.
  mutating func run(_ mishap: Mishap, _ random: inout SplitMix64) throws {
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

  /// Whether it is one of the commands that hear a wish to stop.
  private var isNight: Bool {
    ["run", "recompute", "rebuild", "forget"].contains(words.first ?? "")
  }

  private func start(_ effects: String = "-") throws -> Program {
    try place.start(words, settings: settings, effects: effects)
  }

  /// One of the points: where the server is started, somewhere, or near the end.
  ///
  /// - Parameter early: How likely the start is, in a hundred.
  private func drawPoint(_ random: inout SplitMix64, early: Int = 30) -> Int {
    if random.chance(early) { return random.number(1...14) }
    return random.chance(70)
      ? random.number(1...max(1, points)) : max(1, points + random.number(-8...16))
  }

  /// A signal at a point.
  private mutating func plainly(
    _ plan: String, _ others: Set<Int32>, _ random: inout SplitMix64
  ) throws -> Bool {
    let point = drawPoint(&random)
    let ended = try end(of: start("- \(plan) \(point)"))
    hasHappened = others.contains(ended.status)
    story.append("\(plan) \(point): ended with \(ended.status)")
    return try judge(ended, others)
  }

  /// The command is paused at a point, and another one like it runs beside it.
  private mutating func besideSecond(_ random: inout SplitMix64) throws -> Bool {
    // While the server is started the locks are held for which others have to wait.
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
    // A command that is over in a moment asks nobody whether it may be stopped.
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

  /// The command is paused at a point, and a process of its server is killed.
  private mutating func losing(_ mishap: Mishap, _ random: inout SplitMix64) throws -> Bool {
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

  /// Starts the command and waits until it is paused at a point; nil: it ended before, and is done.
  private mutating func paused(_ random: inout SplitMix64, early: Int) throws -> Program? {
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

  /// Whether the command is done; what it may not end with is a problem.
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

  /// Waits for the end; a process that does not end is killed, and the history is over.
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
