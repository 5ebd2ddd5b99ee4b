// What separates the chains that match from the exceptions, which the rules judge.
extension SQLFile {
  /// The chains that match, which are only counted and summed.
  ///
  /// The file is a view without rows, for people in psql. A night that judges in bulk has a
  /// temporary table of this name.
  public static let judgeMatched = SQLFile("judge_matched", PackageResources.judge_matched_sql)

  /// Whether there are enough transactions for judging in bulk.
  public static let matchWorthwhile = SQLFile(
    "match_worthwhile", PackageResources.match_worthwhile_sql)

  /// Whether the exceptions are few enough for judging them alone.
  public static let matchFew = SQLFile("match_few", PackageResources.match_few_sql)

  /// Find the exceptions, in this order: pairs transactions with deliveries, and lists the chains
  /// about which a rule may have something to say.
  public static let matchExceptions = [
    SQLFile("match_pair", PackageResources.match_pair_sql),
    SQLFile("match_exception", PackageResources.match_exception_sql),
    SQLFile("match_family", PackageResources.match_family_sql),
    SQLFile("match_service", PackageResources.match_service_sql),
  ]

  /// Creates tables with the exceptions' part of the ledger.
  ///
  /// They hide the tables of the ledger.
  public static let matchLedger = SQLFile("match_ledger", PackageResources.match_ledger_sql)

  /// The files that decide which chains match.
  public static let match =
    [matchWorthwhile] + matchExceptions + [matchFew, matchLedger]

  /// The sampled chains for which the rules give other counts and sums.
  public static let matchSample = SQLFile("match_sample", PackageResources.match_sample_sql)
}
