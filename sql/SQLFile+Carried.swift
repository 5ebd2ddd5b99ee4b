// What a night carries forward to the next, by name: ``CarriedRelation`` says how each is kept.
extension SQLFile {
  /// The identifiers that apps report as invalid.
  public static let judgeInvalidReport = SQLFile(
    "judge_invalid_report", PackageResources.judge_invalid_report_sql)

  /// The instants at which the log has attempts.
  public static let judgeLogInstant = SQLFile(
    "judge_log_instant", PackageResources.judge_log_instant_sql)

  /// What each source sent in each hour.
  public static let judgeSourceHour = SQLFile(
    "judge_source_hour", PackageResources.judge_source_hour_sql)

  /// Which sources served which product on which day.
  public static let judgeSourceProduct = SQLFile(
    "judge_source_product", PackageResources.judge_source_product_sql)

  /// The hours in which a source was silent.
  public static let judgeSilentHour = SQLFile(
    "judge_silent_hour", PackageResources.judge_silent_hour_sql)

  /// What is missing.
  public static let carriedMissingDelivery = SQLFile(
    "carried_missing_delivery", PackageResources.carried_missing_delivery_sql)

  /// What was restored more often than allowed.
  public static let carriedSurplusRestore = SQLFile(
    "carried_surplus_restore", PackageResources.carried_surplus_restore_sql)

  /// Where identifiers were seen that are not for sale.
  public static let carriedInvalidSighting = SQLFile(
    "carried_invalid_sighting", PackageResources.carried_invalid_sighting_sql)

  /// The families that several accounts have a part in.
  public static let carriedSharedFamily = SQLFile(
    "carried_shared_family", PackageResources.carried_shared_family_sql)

  /// The restores that clients tell of.
  public static let carriedClientRestore = SQLFile(
    "carried_client_restore", PackageResources.carried_client_restore_sql)

  /// The sums of revenue.
  public static let carriedRevenue = SQLFile(
    "carried_revenue", PackageResources.carried_revenue_sql)

  /// The control totals.
  public static let carriedTotal = SQLFile(
    "carried_total", PackageResources.carried_total_sql)

  /// What changes by the passing of time alone.
  public static let carriedDue = SQLFile(
    "carried_due", PackageResources.carried_due_sql)

  /// What was owed and delivered, counted by its properties.
  public static let carriedServed = SQLFile(
    "carried_served", PackageResources.carried_served_sql)

  /// The identifiers closest to those that the catalogue lacks; several statements.
  public static let carriedClosest = SQLFile(
    "carried_closest", PackageResources.carried_closest_sql)

  /// The queries that make what is carried forward out of what was judged and found.
  public static let carried = [
    carriedMissingDelivery,
    carriedSurplusRestore,
    carriedInvalidSighting,
    carriedSharedFamily,
    carriedClientRestore,
    carriedRevenue,
    carriedTotal,
    carriedDue,
    carriedServed,
  ]
}
