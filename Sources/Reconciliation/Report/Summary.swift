public import Configuration

/// What a night did and found, for people.
public struct Summary: Sendable {
  /// One kind of record: how many were read and what became of them.
  public struct Line: Sendable, Equatable {
    /// Files, documents, transactions, deliveries or catalogue entries.
    public let kind: String
    /// All that were read.
    public let read: Int64
    /// Those that were not known before.
    public let new: Int64
    /// Those that told nothing new.
    public let alreadyKnown: Int64
    /// Those that could not be used.
    public let rejected: Int64
  }

  /// What one rule found.
  public struct Finding: Sendable, Equatable {
    /// The rule's name.
    public let rule: String
    /// info, warning or error.
    public let level: String
    /// How many are open at as-of.
    public let open: Int
    /// How many of them opened or reopened in this run, and are not acknowledged.
    public let new: Int
    /// How many of them somebody has acknowledged.
    public let acknowledged: Int
  }

  /// The instant that the run speaks about.
  public internal(set) var asOf = ""
  /// The run's number; nil after a dry run, which keeps nothing.
  public internal(set) var runID: String?
  /// An as-of before the newest one: only that day's statements were made again.
  public internal(set) var isRebuild = false
  /// Nothing was kept or published.
  public internal(set) var isDryRun = false
  /// What the night was for.
  public internal(set) var purpose = Night.Purpose.news
  /// How many records of all kinds this run was the first to reject.
  public internal(set) var rejectedForTheFirstTime: Int64 = 0
  /// Rows of what nights had carried forward that were wrong and are right now; nil where that cannot be
  /// told, because settings or as-of were other ones, or a past day was rebuilt from new files since.
  public internal(set) var corrections: Int?
  /// Files of the inbox that had not changed since they were loaded.
  public internal(set) var unchangedFiles = 0
  /// What was read.
  public internal(set) var lines: [Line] = []
  /// The commonest reasons of tonight's rejections, the most frequent first.
  public internal(set) var rejections: [Rejection] = []
  /// How many different reasons there are.
  public internal(set) var rejectionReasons = 0
  /// What was found, errors first.
  public internal(set) var findings: [Finding] = []
  /// What was done to forget somebody, where that was the purpose.
  public internal(set) var forgotten: Forgotten?
  /// Findings that no longer hold since this run.
  public internal(set) var resolved = 0
  /// Transactions that the night considered, in all.
  public internal(set) var transactions = 0
  /// Missing deliveries of which nobody can know: the log of their time is missing.
  public internal(set) var unknownMissing = 0
  /// The silent stretches of servers that this is because of, the newest first; none where the whole log
  /// has nothing.
  public internal(set) var silences: [Silence] = []
  /// What the other missing deliveries have in common; nil where nothing stands out.
  public internal(set) var cause: Cause?
  /// When the books begin; nil: there is no delivery at all.
  public internal(set) var booksBegin: String?
  /// What people should know about how far the numbers can be trusted.
  public internal(set) var warnings: [String] = []
  /// The day's folder; nil after a dry run.
  public internal(set) var folder: String?
  /// How long the run took, in seconds.
  public internal(set) var seconds = 0.0

  /// How many records of all kinds were rejected.
  public var rejected: Int64 { lines.reduce(0) { $0 + $1.rejected } }

  /// Whether there is a finding that the setting asks to be told of.
  ///
  /// What is acknowledged never counts. A past day that is rebuilt opens nothing, so nothing is new in it.
  public func fires(_ failOn: FailOn) -> Bool {
    let (levels, isOfNew): (Set<String>, Bool) =
      switch failOn {
      case .info: (["info", "warning", "error"], false)
      case .warning: (["warning", "error"], false)
      case .error: (["error"], false)
      case .newWarning: (["warning", "error"], true)
      case .newError: (["error"], true)
      case .never: ([], false)
      }
    return findings.contains { finding in
      let count = isOfNew ? (isRebuild ? 0 : finding.new) : finding.open - finding.acknowledged
      return count > 0 && levels.contains(finding.level)
    }
  }
}
