import DamageTestSupport

/// The action of one step of a history.
enum HistoryAction: String, CaseIterable {
  /// Files arrive, and the next night runs.
  case night
  /// Files may arrive, and a run gets an earlier as-of.
  case pastDay = "past day"
  /// `tieout run`, `rebuild` or `forget` with `--dry-run`.
  case dryRun = "dry run"
  case recompute
  case rebuild
  case forget
  case withdraw
  /// A withdrawal is undone.
  case undo
  /// A finding is acknowledged, by command or by a file that the next night reads.
  case acknowledge
  /// A setting changes, and the next night runs with it.
  case settings
  /// Files that were loaded leave the inbox.
  case archive
  /// Files of the inbox are renamed.
  case rename

  /// Whether the action runs a command that a mishap can disturb.
  var runsCommand: Bool { self != .archive && self != .rename && self != .acknowledge }
}

/// The event that disturbs the command of a step.
enum Mishap: String, CaseIterable {
  case none = "undisturbed"
  case kill = "SIGKILL"
  case stop = "SIGTERM"
  /// The process is suspended, and the same command is run beside it.
  case pause = "SIGSTOP beside a second run"
  /// SIGKILL for a process of the private server, or for its postmaster, while the command is
  /// suspended.
  case backend = "loss of a backend"
  case postmaster = "loss of the postmaster"
}

/// One step of a history.
struct HistoryStep: CustomStringConvertible {
  let number: Int
  let action: HistoryAction
  let mishap: Mishap
  /// The seed of the step's random choices, so that they stay the same when other steps are left
  /// out.
  let seed: UInt64

  var description: String {
    "\(number). \(action.rawValue)" + (mishap == .none ? "" : ", \(mishap.rawValue)")
  }
}

/// The steps of a history; the same seed gives the same steps.
struct HistoryPlan {
  let seed: UInt64
  let steps: [HistoryStep]

  /// Draws a history with each action and each mishap.
  ///
  /// Every eighth seed gives a history that is three times as long.
  init(seed: UInt64) {
    self.seed = seed
    var random = Dice(seed &* 0x9E37_79B9)
    var actions: [HistoryAction] = []
    for _ in 0..<(seed % 8 == 0 ? 3 : 1) {
      var deck = HistoryAction.allCases + [.night, .night, .night]
      deck.shuffle(using: &random)
      // An undo needs an earlier withdrawal.
      if let undo = deck.firstIndex(of: .undo), let withdraw = deck.firstIndex(of: .withdraw),
        undo < withdraw
      {
        deck.swapAt(undo, withdraw)
      }
      actions += deck
    }
    var mishaps: [Mishap] = []
    steps = ([.night] + actions).enumerated().map { index, action in
      if mishaps.isEmpty {
        mishaps = (Mishap.allCases + [.none, .none, .none]).shuffled(using: &random)
      }
      let mishap = action.runsCommand ? mishaps.removeLast() : .none
      return HistoryStep(
        number: index + 1, action: action, mishap: mishap, seed: random.next())
    }
  }

  private init(seed: UInt64, steps: [HistoryStep]) {
    self.seed = seed
    self.steps = steps
  }

  /// Creates the history with this name, such as `17` or `17 without 3 5`.
  init?(named name: Substring) {
    let words = name.split(separator: " ")
    guard let seed = words.first.flatMap({ UInt64($0) }) else { return nil }
    let without = Set(words.dropFirst(2).compactMap { Int($0) })
    let all = HistoryPlan(seed: seed)
    self.init(seed: seed, steps: all.steps.filter { !without.contains($0.number) })
  }
}
