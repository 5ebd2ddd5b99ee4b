import Configuration
import Intake
import Ledger
import PostgreSQL
import Reports
import Runs

/// Removes an account's name from the ledger; reads no file.
struct ForgetTask: NightTask {
  let work: NightWork
  let account: String
  let removesEditions: Bool

  func read() throws -> [Staging.Result] {
    work.names = try NameKeeping(work.settings, in: work.database)
    try Staging.empty(work.database)
    return []
  }

  /// Replaces the account's name, and the devices and tokens that only the account used, in every
  /// table.
  func load(
    _ read: [Staging.Result], into ledger: Ledger, judgingBefore judgeBeforeLoad: () throws -> Void
  ) throws -> Loaded {
    work.summary.forgotten = try work.names.map {
      try ledger.forget(account, $0.pseudonyms, steps: work.steps)
    }
    try work.database.run(
      """
      select
          set_config('tieout.forgets', 'true', true),
          set_config('tieout.cause', 'account_forgotten', true)
      """, step: "forget")
    return Loaded(new: [], counts: Ledger.Counts())
  }

  /// Looks for the editions that contain the names of the forgotten account, for the summary.
  ///
  /// - Returns: the editions that the command removes. The edition of this run is never removed: it
  ///   was made from tables without the names, so a text in it that equals a name is another value.
  func editionsToRemove(beside publication: PendingPublication) -> [Edition] {
    let (folder, written) = (publication.folder, publication.written)
    guard let names = work.names, var forgotten = work.summary.forgotten else { return [] }
    var folders: [Edition: String] = [:]
    for edition in folder.published.all { folders[edition] = "\(folder.reports)/\(edition.folder)" }
    if written.isNew { folders[written.edition] = "\(folder.reports)/\(folder.hidden)" }
    let holding = Forgotten.editions(
      holding: [account, names.pseudonyms.hashed(account)] + forgotten.companionNames, in: folders)
    // A link can lead to an edition that somebody has moved. It is neither searched nor removed.
    let links = folder.published.links.map {
      Forgotten.HoldingEdition(edition: $0, files: ["(a link, not searched)"])
    }
    let isRemoving = removesEditions && !work.settings.dryRun
    let removed = isRemoving ? holding.map(\.edition).filter { $0 != written.edition } : []
    forgotten.removedEditions = removed
    forgotten.editions = holding.filter { !removed.contains($0.edition) } + links
    work.summary.forgotten = forgotten
    return removed
  }
}
