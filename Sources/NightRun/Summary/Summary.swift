package import Configuration
package import Ledger
package import Page
package import Reports
package import Runs

/// The work and the results of a night, for people.
package struct Summary: Sendable {
  /// The counts of one kind of record.
  package struct Line: Sendable, Equatable {
    /// A section of `control_totals.csv`, such as `files` or `apple_rows`.
    package let kind: String
    /// The number of records that were read.
    package let read: Int64
    /// The number of records that were not known before.
    package let new: Int64
    /// The number of records that contained nothing new.
    package let alreadyKnown: Int64
    /// The number of records that could not be used.
    package let rejected: Int64
  }

  /// The findings of one rule.
  package struct Finding: Sendable, Equatable {
    /// The rule's name.
    package let rule: String
    /// info, warning or error.
    package let level: String
    /// The number of findings that are open at as-of.
    package let open: Int
    /// The number of these findings that opened in this run and are not acknowledged.
    ///
    /// A run of a past day opens none; there it is the number of those that no night has found.
    package let new: Int
    /// The number of these findings that reopened in this run and are not acknowledged.
    package let reopened: Int
    /// The number of these findings that are acknowledged.
    package let acknowledged: Int
  }

  /// The instant that the run is about.
  package internal(set) var asOf = ""
  /// The run's number; nil after a dry run, which keeps nothing.
  package internal(set) var runID: String?
  /// Whether as-of is before that of the newest night.
  ///
  /// Then the run has loaded new files and written the statements of that day, but no finding has
  /// changed.
  package internal(set) var isOfPastDay = false
  /// Whether this was a dry run, which keeps and publishes nothing.
  package internal(set) var isDryRun = false
  /// The purpose of the night.
  package internal(set) var purpose = Night.Purpose.run
  /// The warning about an earlier run whose as-of is in the future, with what to do about it.
  ///
  /// Until that instant, every run as of now counts as a run of a past day and changes no finding.
  /// Nil if there is no such run, or if this run has an as-of of its own.
  package internal(set) var laterNight: String?
  /// The warning that the reports folder has lost editions, or that another database has
  /// published the newest one.
  ///
  /// Nil if this database has published the newest edition, or never published there.
  package internal(set) var folderDoubt: String?
  /// The reason why the anchor could not be written, after the night was done and its reports were
  /// shown.
  package internal(set) var anchorFailure: (any Error)?
  /// The earlier runs whose results no command has reported.
  var recovered: [RecoveredNight] = []
  /// The number of records of all kinds that this run was the first to reject.
  package internal(set) var rejectedForTheFirstTime: Int64 = 0
  /// How many rows of each table that earlier nights carried forward were removed, inserted or
  /// changed, because they were wrong.
  ///
  /// It is known only if everything was judged again by the same program, with the as-of and the
  /// settings of the night before, and no run of a past day has loaded new files since. Otherwise
  /// it is nil.
  package internal(set) var correctedTables: [String: Int]?
  /// How many sums that were published about ended months were wrong and are corrected in the
  /// restatement.
  package internal(set) var correctedSums = 0
  /// The closed periods whose numbers are wrong, if this is a recompute.
  package internal(set) var wrongPeriods: [String] = []
  /// The number of files in the inbox that had not changed since they were loaded.
  package internal(set) var unchangedFiles = 0
  /// The counts of the records that were read, by kind.
  package internal(set) var lines: [Line] = []
  /// The most frequent reasons of tonight's rejections, in descending order.
  package internal(set) var rejections: [Rejection] = []
  /// The number of different reasons.
  package internal(set) var rejectionReasons = 0
  /// The findings by rule, errors first.
  package internal(set) var findings: [Finding] = []
  /// The result of forgetting an account, if that was the purpose.
  package internal(set) var forgotten: Forgotten?
  /// The number of findings that this run resolved.
  package internal(set) var resolved = 0
  /// The number of all transactions that the night considered.
  package internal(set) var transactions = 0
  /// The numbers of purchases that were compared with deliveries, and of those that were not.
  package internal(set) var comparison = Comparison()
  /// The worst open findings, the worst first, for the message of a quiet run; else empty.
  package internal(set) var worst: [NightPage.Worst] = []
  /// The number of uncertain missing deliveries: a delivery log lacks a part of their time.
  package internal(set) var uncertain = 0
  /// The number of those that no silent server explains: the whole log has nothing for their time.
  package internal(set) var uncovered = 0
  /// The silent periods of servers that are the reason, the newest first.
  ///
  /// It is empty if the whole log contains nothing.
  package internal(set) var silences: [Silence] = []
  /// The property that the other missing deliveries have in common; nil if nothing stands out.
  package internal(set) var cause: Cause?
  /// What missing deliveries cost, and whether the amounts of sales are from receipts or are list
  /// prices.
  package internal(set) var money = Money()
  /// When the books begin; nil if there is no delivery.
  package internal(set) var booksBegin: String?
  /// Warnings for people, such as limits of the reliability of the numbers.
  package internal(set) var warnings: [String] = []
  /// The folder of the edition that has the reports; nil after a dry run.
  package internal(set) var folder: String?
  /// The edition that has the reports; after a dry run, the one that would.
  package internal(set) var edition: Edition?
  /// Whether this run published the edition; otherwise it was there already, with the same reports
  /// (``Report/makesEdition``).
  package internal(set) var isNewEdition = false
  /// The newest publication of the reports folder; nil after a dry run, and if no edition there has
  /// a manifest.
  package internal(set) var head: EditionList.Line?
  /// How long the run took, in seconds.
  package internal(set) var seconds = 0.0

  /// The number of files, and of records of all kinds, that were rejected.
  package var rejected: Int64 { lines.reduce(0) { $0 + $1.rejected } }

  /// What was rejected, in words such as `1 file and 2 records`.
  package var rejectedWords: String {
    Figure.counted(files: rejectedFiles, records: Int(clamping: rejected) - rejectedFiles)
  }

  /// The number of rejected files and records that decide the exit status: those of this run, and
  /// those of the ``recovered`` nights.
  package var rejectedWithRecovered: Int64 {
    rejected + recovered.reduce(0) { $0 + Int64($1.rejectedFiles + $1.rejectedRecords) }
  }

  /// ``rejectedWithRecovered`` in words, such as `1 file and 2 records`.
  package var rejectedWithRecoveredWords: String {
    let files = rejectedFiles + recovered.reduce(0) { $0 + $1.rejectedFiles }
    return Figure.counted(files: files, records: Int(clamping: rejectedWithRecovered) - files)
  }

  private var rejectedFiles: Int {
    Int(clamping: lines.first { $0.kind == "files" }?.rejected ?? 0)
  }

  /// One sentence for each of the ``recovered`` nights: what its run found.
  package var recoveredSentences: [String] { recovered.map(\.sentence) }

  /// Whether there is a finding that makes the exit status 1 under this setting.
  ///
  /// An acknowledged finding never counts. A run of a past day opens no finding, so none is new in
  /// it. A finding that the run of a ``recovered`` night opened counts as new.
  package func fires(_ failOn: FailOn) -> Bool { firing(failOn) > 0 }

  /// The number of findings that make the exit status 1 under this setting.
  package func firing(_ failOn: FailOn) -> Int {
    let levels: [Level] =
      switch failOn {
      case .info: Level.allCases
      case .warning, .newWarning: [.error, .warning]
      case .error, .newError: [.error]
      case .never: []
      }
    let inRecovered = failOn.isOfNew ? levels.reduce(0) { $0 + newInRecovered($1) } : 0
    let names = Set(levels.map(\.rawValue))
    return findings.filter { names.contains($0.level) }.reduce(inRecovered) { sum, finding in
      guard failOn.isOfNew else { return sum + finding.open - finding.acknowledged }
      return sum + (isOfPastDay ? 0 : finding.new + finding.reopened)
    }
  }

  /// The number of findings of this level that the runs of the ``recovered`` nights opened.
  private func newInRecovered(_ level: Level) -> Int {
    recovered.reduce(0) { $0 + ($1.new[level] ?? 0) }
  }
}
