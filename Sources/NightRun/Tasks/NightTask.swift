import Configuration
import Ledger
import Rules
import Runs

/// What a task has loaded.
struct Loaded {
  /// The files that were not loaded before.
  let new: [Staging.Result]
  /// The counts of all records that were read.
  let counts: Ledger.Counts
}

/// What one kind of run does differently from the others: what it reads, loads and judges, and what
/// it changes.
///
/// Each purpose is one task. The defaults are those of a night that reads nothing.
protocol NightTask {
  var work: NightWork { get }

  /// What the night judges, unless it is of a past day.
  var extent: Judgement.Extent { get }

  /// Whether what was published wrong about ended months is corrected.
  ///
  /// Otherwise such a month stops the run when it changes.
  var correctsMonths: Bool { get }

  /// Whether the as-of is that of the newest night, and not that of the settings.
  var usesNewestAsOf: Bool { get }

  /// Reads the task's files into the staging tables; there is no transaction yet.
  func read() throws -> [Staging.Result]

  /// Changes the ledger, inside the transaction.
  ///
  /// - Parameter judgeBeforeLoad: Judges the affected records in their state before the load. The
  ///   task calls it when the new files are registered and not yet loaded; `rebuild` and `forget`
  ///   do not call it.
  func load(
    _ read: [Staging.Result], into ledger: Ledger, judgingBefore judgeBeforeLoad: () throws -> Void
  ) throws -> Loaded

  /// Applies the acknowledgements that were loaded; call it after the findings are changed.
  func acknowledge(_ loaded: Loaded, in ledger: Ledger) throws

  /// The published editions that are removed when this night is published.
  func editionsToRemove(beside publication: PendingPublication) -> [Edition]
}

extension NightTask {
  var extent: Judgement.Extent { .inBulk }
  var correctsMonths: Bool { false }
  var usesNewestAsOf: Bool { true }

  func read() throws -> [Staging.Result] {
    // Earlier runs may have left rows behind.
    try Staging.empty(work.database)
    return []
  }

  func load(
    _ read: [Staging.Result], into ledger: Ledger, judgingBefore judgeBeforeLoad: () throws -> Void
  ) throws -> Loaded {
    try loadNew(read, into: ledger, judgingBefore: judgeBeforeLoad)
  }

  /// Loads the new files; before that, judges the affected records as they are without them.
  func loadNew(
    _ read: [Staging.Result], into ledger: Ledger, judgingBefore judgeBeforeLoad: () throws -> Void
  ) throws -> Loaded {
    let new = try ledger.register(read)
    try judgeBeforeLoad()
    let counts = try ledger.load(new: new, all: read, steps: work.steps)
    work.summary.rejectedForTheFirstTime = counts.rejected
    return Loaded(new: new, counts: counts)
  }

  func acknowledge(_ loaded: Loaded, in ledger: Ledger) throws {}

  func editionsToRemove(beside publication: PendingPublication) -> [Edition] { [] }
}

extension Night.Purpose {
  /// The task of the purpose.
  func task(_ work: NightWork) -> any NightTask {
    switch self {
    case .run: RunTask(work: work)
    case .recompute(let inBulk): RecomputeTask(work: work, inBulk: inBulk)
    case .rebuild(let archives): RebuildTask(work: work, archives: archives)
    case .forget(let account, let removesEditions):
      ForgetTask(work: work, account: account, removesEditions: removesEditions)
    }
  }
}
