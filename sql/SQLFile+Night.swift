// The night as a whole: what it builds on, finds, checks and leaves to the next night.
extension SQLFile {
  /// The newest night that was done.
  public static let nightNewest = SQLFile("night_newest", PackageResources.night_newest_sql)

  /// The night that was judged last, if tonight can use what it carried forward.
  public static let nightLast = SQLFile("night_last", PackageResources.night_last_sql)

  /// The first day of the revenue that the night reports.
  public static let nightFirstDay = SQLFile("night_first_day", PackageResources.night_first_day_sql)

  /// The values that every judgement depends on.
  public static let nightPremises = SQLFile("night_premises", PackageResources.night_premises_sql)

  /// Creates the empty table of tonight's findings.
  public static let nightFound = SQLFile("night_found", PackageResources.night_found_sql)

  /// Inserts the findings of one rule.
  public static let nightRule = SQLFile("night_rule", PackageResources.night_rule_sql)

  /// Adds to each finding about one purchase what the purchase cost.
  public static let nightPrice = SQLFile("night_price", PackageResources.night_price_sql)

  /// The findings about the affected records in their state before the load.
  public static let nightBefore = SQLFile("night_before", PackageResources.night_before_sql)

  /// Adds open findings of earlier nights to those before the load.
  public static let nightOpen = SQLFile("night_open", PackageResources.night_open_sql)

  /// Deletes carried rows that the reports no longer cover.
  public static let nightPast = SQLFile("night_past", PackageResources.night_past_sql)

  /// The pairs of control totals that must be equal.
  public static let nightBalance = SQLFile("night_balance", PackageResources.night_balance_sql)

  /// Records that the next night can build on this one.
  public static let nightJudged = SQLFile("night_judged", PackageResources.night_judged_sql)

  /// Forgets the judged night after a past day's run has changed the ledger.
  public static let nightUnjudged = SQLFile("night_unjudged", PackageResources.night_unjudged_sql)

  /// All of these files.
  public static let night = [
    nightNewest, nightLast, nightFirstDay, nightPremises, nightFound, nightRule,
    nightPrice, nightBefore, nightOpen, nightPast, nightBalance, nightJudged,
    nightUnjudged,
  ]

  /// Marks the runs that were killed.
  public static let recoverKilled = SQLFile("recover_killed", PackageResources.recover_killed_sql)

  /// The days whose last run has not published its edition.
  public static let recoverHidden = SQLFile("recover_hidden", PackageResources.recover_hidden_sql)

  /// Records that readers find the edition of a day's runs.
  public static let recoverShown = SQLFile("recover_shown", PackageResources.recover_shown_sql)

  /// The runs of which no command has said what they found.
  public static let recoverUntold = SQLFile("recover_untold", PackageResources.recover_untold_sql)

  /// What a run found that a later run reports.
  public static let recoverResult = SQLFile("recover_result", PackageResources.recover_result_sql)

  /// The files that complete the work of runs that were killed or could not publish.
  public static let recover = [
    recoverKilled, recoverHidden, recoverShown, recoverUntold, recoverResult,
  ]

  /// The number of tonight's findings of each rule and level.
  public static let summaryFinding = SQLFile(
    "summary_finding", PackageResources.summary_finding_sql)

  /// The numbers of the summary that are not counts of findings by rule.
  public static let summaryNight = SQLFile("summary_night", PackageResources.summary_night_sql)

  /// The number of uncertain missing deliveries.
  public static let summaryUncertain = SQLFile(
    "summary_uncertain", PackageResources.summary_uncertain_sql)

  /// The silences that make missing deliveries uncertain.
  public static let summarySilence = SQLFile(
    "summary_silence", PackageResources.summary_silence_sql)

  /// The most frequent reasons of a run's rejections.
  public static let summaryRejection = SQLFile(
    "summary_rejection", PackageResources.summary_rejection_sql)

  /// What `tieout run` prints about a night.
  public static let summary = [
    summaryFinding, summaryNight, summaryUncertain, summarySilence, summaryRejection,
  ]
}
