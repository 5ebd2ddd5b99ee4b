// The part of the ledger that a night judges: the records that tonight can change, and what they
// change.
extension SQLFile {
  /// Creates the tables for the affected names, without any name.
  public static let affectedStart = SQLFile("affected_start", PackageResources.affected_start_sql)

  /// Finds the names that tonight touches directly.
  public static let affectedSeed = SQLFile("affected_seed", PackageResources.affected_seed_sql)

  /// Adds the names that share a record with an affected name.
  ///
  /// It runs until no name is new.
  public static let affectedRound = SQLFile("affected_round", PackageResources.affected_round_sql)

  /// Creates tables with the affected part of the ledger.
  ///
  /// They hide the tables of the ledger.
  public static let affectedLedger = SQLFile(
    "affected_ledger", PackageResources.affected_ledger_sql)

  /// Adds to the carried hours of the log what tonight changed.
  public static let affectedLogHour = SQLFile(
    "affected_log_hour", PackageResources.affected_log_hour_sql)

  /// Adds to the carried days of each product and source what tonight changed.
  public static let affectedSourceProduct = SQLFile(
    "affected_source_product", PackageResources.affected_source_product_sql)

  /// The hours in which a source may have become silent, or may no longer be silent.
  public static let affectedSilentHour = SQLFile(
    "affected_silent_hour", PackageResources.affected_silent_hour_sql)

  /// Updates the reasons of missing deliveries that depend on a silence that tonight has changed.
  public static let affectedSilence = SQLFile(
    "affected_silence", PackageResources.affected_silence_sql)

  /// The missing deliveries whose possible matches tonight may have changed.
  public static let affectedPossibleMatch = SQLFile(
    "affected_possible_match", PackageResources.affected_possible_match_sql)

  /// How much of the ledger is affected.
  public static let affectedSize = SQLFile("affected_size", PackageResources.affected_size_sql)

  /// The estimated number of all transactions.
  public static let affectedAll = SQLFile("affected_all", PackageResources.affected_all_sql)

  /// Updates the carried silent hours from what tonight changed.
  public static let affectedChangedHour = SQLFile(
    "affected_changed_hour", PackageResources.affected_changed_hour_sql)

  /// The missing deliveries whose reason tonight can change.
  public static let affectedTouched = SQLFile(
    "affected_touched", PackageResources.affected_touched_sql)

  /// The missing deliveries whose reason a silence can change, in the form of obligations.
  public static let affectedUnheard = SQLFile(
    "affected_unheard", PackageResources.affected_unheard_sql)

  /// All of these files.
  public static let affected = [
    affectedStart, affectedSeed, affectedRound, affectedLedger, affectedSize, affectedAll,
    affectedLogHour, affectedSourceProduct, affectedSilentHour, affectedChangedHour,
    affectedTouched, affectedUnheard, affectedSilence, affectedPossibleMatch,
  ]
}
