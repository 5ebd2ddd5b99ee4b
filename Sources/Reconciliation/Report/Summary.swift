public import Configuration
public import Page

/// The work and the results of a night, for people.
public struct Summary: Sendable {
  /// The counts of one kind of record.
  public struct Line: Sendable, Equatable {
    /// Files, documents, transactions, deliveries or catalogue entries.
    public let kind: String
    /// The number of records that were read.
    public let read: Int64
    /// The number of records that were not known before.
    public let new: Int64
    /// The number of records that contained nothing new.
    public let alreadyKnown: Int64
    /// The number of records that could not be used.
    public let rejected: Int64
  }

  /// The findings of one rule.
  public struct Finding: Sendable, Equatable {
    /// The rule's name.
    public let rule: String
    /// info, warning or error.
    public let level: String
    /// The number of findings that are open at as-of.
    public let open: Int
    /// The number of these findings that opened or reopened in this run and are not acknowledged.
    public let new: Int
    /// The number of these findings that are acknowledged.
    public let acknowledged: Int
  }

  /// The instant that the run speaks about.
  public internal(set) var asOf = ""
  /// The run's number; nil after a dry run, which keeps nothing.
  public internal(set) var runID: String?
  /// Whether as-of is before the newest one; then only that day's statements were made again.
  public internal(set) var isRebuild = false
  /// Whether this was a dry run, which keeps and publishes nothing.
  public internal(set) var isDryRun = false
  /// The purpose of the night.
  public internal(set) var purpose = Night.Purpose.news
  /// The number of records of all kinds that this run was the first to reject.
  public internal(set) var rejectedForTheFirstTime: Int64 = 0
  /// The number of rows, carried forward by earlier nights, that were wrong and are now corrected.
  ///
  /// Nil where this is unknown: settings or as-of were different, or a past day was rebuilt from
  /// new files since.
  public internal(set) var corrections: Int?
  /// The number of files in the inbox that had not changed since they were loaded.
  public internal(set) var unchangedFiles = 0
  /// The counts of the records that were read, by kind.
  public internal(set) var lines: [Line] = []
  /// The most frequent reasons of tonight's rejections, in descending order.
  public internal(set) var rejections: [Rejection] = []
  /// The number of different reasons.
  public internal(set) var rejectionReasons = 0
  /// The findings by rule, errors first.
  public internal(set) var findings: [Finding] = []
  /// The result of forgetting an account, if that was the purpose.
  public internal(set) var forgotten: Forgotten?
  /// The number of findings that this run resolved.
  public internal(set) var resolved = 0
  /// The number of all transactions that the night considered.
  public internal(set) var transactions = 0
  /// How much of the night was compared.
  public internal(set) var comparison = Comparison()
  /// The worst open findings, the worst first, for the message of a quiet run; else empty.
  public internal(set) var worst: [Worst] = []
  /// The number of uncertain missing deliveries: no delivery log covers their time.
  public internal(set) var unknownMissing = 0
  /// The silent periods of servers that are the reason, the newest first.
  ///
  /// It is empty if the whole log contains nothing.
  public internal(set) var silences: [Silence] = []
  /// The property that the other missing deliveries have in common; nil if nothing stands out.
  public internal(set) var cause: Cause?
  /// What missing deliveries cost, and how the amounts of sales are known.
  public internal(set) var money = Money()
  /// When the books begin; nil if there is no delivery.
  public internal(set) var booksBegin: String?
  /// Warnings for people, such as limits of the reliability of the numbers.
  public internal(set) var warnings: [String] = []
  /// The folder of the edition that shows the reports; nil after a dry run.
  public internal(set) var folder: String?
  /// The edition that shows the reports; after a dry run, the one that would.
  public internal(set) var edition: Edition?
  /// Whether this run published the edition; otherwise it has the same statements already.
  public internal(set) var isNewEdition = false
  /// How long the run took, in seconds.
  public internal(set) var seconds = 0.0

  /// The number of rejected records of all kinds.
  public var rejected: Int64 { lines.reduce(0) { $0 + $1.rejected } }

  /// Whether there is a finding that makes the exit status 1 under this setting.
  ///
  /// An acknowledged finding never counts. A past day that is rebuilt opens no finding, so none is
  /// new in it.
  public func fires(_ failOn: FailOn) -> Bool { firing(failOn) > 0 }

  /// The number of findings that make the exit status 1 under this setting.
  public func firing(_ failOn: FailOn) -> Int {
    let (levels, isOfNew): (Set<String>, Bool) =
      switch failOn {
      case .info: (["info", "warning", "error"], false)
      case .warning: (["warning", "error"], false)
      case .error: (["error"], false)
      case .newWarning: (["warning", "error"], true)
      case .newError: (["error"], true)
      case .never: ([], false)
      }
    return findings.filter { levels.contains($0.level) }.reduce(0) { sum, finding in
      sum + (isOfNew ? (isRebuild ? 0 : finding.new) : finding.open - finding.acknowledged)
    }
  }
}
