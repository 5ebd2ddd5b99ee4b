/// The SQL around the load: what it is told about files, and what it counted.
extension SQLFile {
  /// Creates the table of tonight's files.
  public static let loadStart = SQLFile("load_start", PackageResources.load_start_sql)

  /// Creates the tables of last lines without a line end.
  public static let loadLine = SQLFile("load_line", PackageResources.load_line_sql)

  /// Whether the setting `trust` has changed.
  public static let loadTrustChange = SQLFile(
    "load_trust_change", PackageResources.load_trust_change_sql)

  /// Inserts numbers that a run counted.
  public static let loadRunCount = SQLFile("load_run_count", PackageResources.load_run_count_sql)

  /// The number of tonight's rejections of each kind.
  public static let loadStagedRejection = SQLFile(
    "load_staged_rejection", PackageResources.load_staged_rejection_sql)

  /// The number of a run's rejections that are stored or counted.
  public static let loadKeptRejection = SQLFile(
    "load_kept_rejection", PackageResources.load_kept_rejection_sql)

  /// What the reports of Apple that a run has loaded say differently.
  public static let loadReportNote = SQLFile(
    "load_report_note", PackageResources.load_report_note_sql)

  /// The days that the Financial Reports of a run name.
  public static let loadReportDays = SQLFile(
    "load_report_days", PackageResources.load_report_days_sql)

  /// The number of a run's rejections that are only counted.
  public static let loadCountedRejection = SQLFile(
    "load_counted_rejection", PackageResources.load_counted_rejection_sql)

  /// The files of load/ that do not load records themselves.
  static let aroundLoad = [
    loadStart, loadLine, loadTrustChange, loadRunCount, loadStagedRejection, loadKeptRejection,
    loadCountedRejection, loadReportNote, loadReportDays,
  ]

  /// The files that were loaded and are not withdrawn.
  public static let rebuildFile = SQLFile("rebuild_file", PackageResources.rebuild_file_sql)

  /// Updates the last lines without a line end.
  public static let rebuildOpenLine = SQLFile(
    "rebuild_open_line", PackageResources.rebuild_open_line_sql)

  /// Notes what a rebuild used of each file.
  public static let rebuildRead = SQLFile("rebuild_read", PackageResources.rebuild_read_sql)

  /// The files of rebuild/ that say what is read again.
  static let aroundRebuild = [
    rebuildFile, rebuildOpenLine, rebuildRead,
  ]
}
