/// The SQL that closes, approves and reopens a period.
extension SQLFile {
  /// The first and the last day of a period.
  public static let periodDays = SQLFile("period_days", PackageResources.period_days_sql)

  /// The newest night, whose numbers a closing freezes.
  public static let periodNight = SQLFile("period_night", PackageResources.period_night_sql)

  /// The closed periods that share a day with a range of days.
  public static let periodOverlap = SQLFile("period_overlap", PackageResources.period_overlap_sql)

  /// The number of the next closing of a period.
  public static let periodEdition = SQLFile("period_edition", PackageResources.period_edition_sql)

  /// Records a closing.
  public static let periodClose = SQLFile("period_close", PackageResources.period_close_sql)

  /// Selects a closing for the next SQL statements.
  public static let periodScope = SQLFile("period_scope", PackageResources.period_scope_sql)

  /// Records the checksum of the pack of a closing.
  public static let periodPack = SQLFile("period_pack", PackageResources.period_pack_sql)

  /// The closings with the checksums of their packs.
  public static let periodPacked = SQLFile("period_packed", PackageResources.period_packed_sql)

  /// The findings that are not resolved, by rule and level.
  public static let periodFinding = SQLFile("period_finding", PackageResources.period_finding_sql)

  /// The closing of a period that is closed.
  public static let periodClosing = SQLFile("period_closing", PackageResources.period_closing_sql)

  /// The closing of the same period before a closing.
  public static let periodPrevious = SQLFile(
    "period_previous", PackageResources.period_previous_sql)

  /// The closings of other periods that shared a day with a closing.
  public static let periodOverlapping = SQLFile(
    "period_overlapping", PackageResources.period_overlapping_sql)

  /// Whether a closing needs no further approval.
  public static let periodApproved = SQLFile(
    "period_approved", PackageResources.period_approved_sql)

  /// Records an approval.
  public static let periodApprove = SQLFile("period_approve", PackageResources.period_approve_sql)

  /// The periods that were closed after a closing.
  public static let periodLater = SQLFile("period_later", PackageResources.period_later_sql)

  /// Opens a closed period again.
  public static let periodReopen = SQLFile("period_reopen", PackageResources.period_reopen_sql)

  /// The files of period/ that act on a period.
  static let periodActs = [
    periodDays, periodNight, periodOverlap, periodEdition, periodClose, periodScope, periodPack,
    periodPacked, periodFinding, periodClosing, periodPrevious, periodOverlapping,
    periodApproved, periodApprove, periodLater, periodReopen,
  ]
}
