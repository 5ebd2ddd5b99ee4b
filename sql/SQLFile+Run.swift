/// The SQL about runs: their records, their metrics, and the editions that they publish.
extension SQLFile {
  /// The as-of of a run that begins, and whether it is a run of a past day.
  public static let runAsOf = SQLFile("run_as_of", PackageResources.run_as_of_sql)

  /// Records the beginning of a run.
  public static let runBegin = SQLFile("run_begin", PackageResources.run_begin_sql)

  /// The settings that decide which records are read and have changed.
  public static let runChangedSetting = SQLFile(
    "run_changed_setting", PackageResources.run_changed_setting_sql)

  /// The night with the latest as-of.
  public static let runLatestNight = SQLFile(
    "run_latest_night", PackageResources.run_latest_night_sql)

  /// Makes the nights whose as-of is in the future runs of a past day.
  public static let runIgnoreFuture = SQLFile(
    "run_ignore_future", PackageResources.run_ignore_future_sql)

  /// Records how a run ended.
  public static let runEnd = SQLFile("run_end", PackageResources.run_end_sql)

  /// The outcome of a run.
  public static let runOutcome = SQLFile("run_outcome", PackageResources.run_outcome_sql)

  /// Records that readers find the reports of a run.
  public static let runShown = SQLFile("run_shown", PackageResources.run_shown_sql)

  /// Records that a command has said what runs found.
  public static let runTold = SQLFile("run_told", PackageResources.run_told_sql)

  /// Adds steps to the record of a run.
  public static let runStep = SQLFile("run_step", PackageResources.run_step_sql)

  /// The steps of the newest run of the same kind.
  public static let runUsualStep = SQLFile("run_usual_step", PackageResources.run_usual_step_sql)

  /// The runs, the newest first.
  public static let runList = SQLFile("run_list", PackageResources.run_list_sql)

  /// The steps of a run with their rates.
  public static let runStepList = SQLFile("run_step_list", PackageResources.run_step_list_sql)

  /// The newest entries of the journal.
  public static let runJournal = SQLFile("run_journal", PackageResources.run_journal_sql)

  /// The session that holds the lock of a run.
  public static let runLockHolder = SQLFile("run_lock_holder", PackageResources.run_lock_holder_sql)

  /// The sessions that hold locks on the program's tables.
  public static let runSessionWithLock = SQLFile(
    "run_session_with_lock", PackageResources.run_session_with_lock_sql)

  /// All files of run/.
  static let run = [
    runAsOf, runBegin, runChangedSetting, runLatestNight, runIgnoreFuture, runEnd, runOutcome,
    runShown, runTold, runStep, runUsualStep, runList, runStepList, runJournal, runLockHolder,
    runSessionWithLock,
  ]

  /// The newest run since an instant.
  public static let metricsRun = SQLFile("metrics_run", PackageResources.metrics_run_sql)

  /// The seconds, rows and bytes of each step of a run.
  public static let metricsStep = SQLFile("metrics_step", PackageResources.metrics_step_sql)

  /// The records that a run counted, by kind and result.
  public static let metricsRecord = SQLFile("metrics_record", PackageResources.metrics_record_sql)

  /// The findings that are not resolved, by rule, level and status.
  public static let metricsFinding = SQLFile(
    "metrics_finding", PackageResources.metrics_finding_sql)

  /// How much of the newest night was compared.
  public static let metricsCompared = SQLFile(
    "metrics_compared", PackageResources.metrics_compared_sql)

  /// The age of the newest record of each feed.
  public static let metricsFeed = SQLFile("metrics_feed", PackageResources.metrics_feed_sql)

  /// The newest night, and the age of its oldest open error.
  public static let metricsNight = SQLFile("metrics_night", PackageResources.metrics_night_sql)

  /// All files of metrics/.
  static let metrics = [
    metricsRun, metricsStep, metricsRecord, metricsFinding, metricsCompared, metricsFeed,
    metricsNight,
  ]

  /// The greatest number of an edition of the night's day.
  public static let publishEdition = SQLFile(
    "publish_edition", PackageResources.publish_edition_sql)

  /// The files that counted at the night, for the manifest.
  public static let publishInput = SQLFile("publish_input", PackageResources.publish_input_sql)

  /// Whether a run ended without reports in a folder of this database.
  public static let publishEnded = SQLFile("publish_ended", PackageResources.publish_ended_sql)

  /// What the database knows about a reports folder.
  public static let publishKnown = SQLFile("publish_known", PackageResources.publish_known_sql)

  /// All files of publish/.
  static let publish = [
    publishEdition, publishInput, publishEnded, publishKnown,
  ]

  /// How much of the night was compared.
  public static let pageCompared = SQLFile("page_compared", PackageResources.page_compared_sql)

  /// The files that could not be read.
  public static let pageUnreadFile = SQLFile(
    "page_unread_file", PackageResources.page_unread_file_sql)

  /// What the Financial Reports lack that those before them have.
  public static let pageLostRegion = SQLFile(
    "page_lost_region", PackageResources.page_lost_region_sql)

  /// The feeds that have stopped.
  public static let pageStaleFeed = SQLFile(
    "page_stale_feed", PackageResources.page_stale_feed_sql)

  /// The cause that stands out most among the missing deliveries.
  public static let pageCause = SQLFile("page_cause", PackageResources.page_cause_sql)
}
