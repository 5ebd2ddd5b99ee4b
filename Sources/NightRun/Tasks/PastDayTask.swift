import Configuration
import Ledger
import Rules
import Runs

/// Loads what another task has read, and judges everything as of a past day.
///
/// It changes no finding and carries nothing forward. The task of the purpose has read the files,
/// because a dry run learns only in its transaction that its as-of is of a past day.
struct PastDayTask: NightTask {
  /// The task of the purpose.
  let task: any NightTask
  var work: NightWork { task.work }
  var extent: Judgement.Extent { .pastDay }
  var usesNewestAsOf: Bool { task.usesNewestAsOf }
  var readsAllFiles: Bool { task.readsAllFiles }

  func read() throws -> [Staging.Result] { try task.read() }

  func load(
    _ read: [Staging.Result], into ledger: Ledger, judgingBefore judgeBeforeLoad: () throws -> Void
  ) throws -> Loaded {
    try task.load(read, into: ledger, judgingBefore: judgeBeforeLoad)
  }

  func warnOfLaterNight() throws {
    let isOfNow = work.settings.asOf == nil
    guard let words = try RunRecord.wordsOfLaterNight(in: work.database, isKnown: isOfNow)
    else { return }
    work.summary.warnings.append(words)
    if isOfNow { work.summary.laterNight = words }
  }

  func changeFindings(by judgement: Judgement) throws {}

  func acknowledge(_ loaded: Loaded, in ledger: Ledger) throws {
    try task.acknowledge(loaded, in: ledger)
  }

  func countFindings() throws {}

  func recordMonths(of publication: PendingPublication) throws {}

  func editionsToRemove(beside publication: PendingPublication) -> [Edition] {
    task.editionsToRemove(beside: publication)
  }
}
