// What a night carries forward to the next, by name: ``CarriedRelation`` says how each is kept.
extension SQLFile {
  /// The identifiers that apps report as invalid.
  public static let judgeInvalidReport = SQLFile(
    "judge_invalid_report", PackageResources.judge_invalid_report_sql)

  /// The hours in which the log has attempts, with their seconds.
  public static let judgeLogHour = SQLFile(
    "judge_log_hour", PackageResources.judge_log_hour_sql)

  /// The number of attempts of each source in each hour.
  public static let judgeSourceHour = SQLFile(
    "judge_source_hour", PackageResources.judge_source_hour_sql)

  /// The sources that served each product, with the days on which they did.
  public static let judgeSourceProduct = SQLFile(
    "judge_source_product", PackageResources.judge_source_product_sql)

  /// The hours in which a source was silent.
  public static let judgeSilentHour = SQLFile(
    "judge_silent_hour", PackageResources.judge_silent_hour_sql)

  /// The missing deliveries.
  public static let carriedMissingDelivery = SQLFile(
    "carried_missing_delivery", PackageResources.carried_missing_delivery_sql)

  /// The families that were restored more often than allowed.
  public static let carriedSurplusRestore = SQLFile(
    "carried_surplus_restore", PackageResources.carried_surplus_restore_sql)

  /// The transactions and deliveries with identifiers that are not for sale.
  public static let carriedInvalidSighting = SQLFile(
    "carried_invalid_sighting", PackageResources.carried_invalid_sighting_sql)

  /// The families with more accounts than allowed.
  public static let carriedSharedFamily = SQLFile(
    "carried_shared_family", PackageResources.carried_shared_family_sql)

  /// The restores that apps report.
  public static let carriedClientRestore = SQLFile(
    "carried_client_restore", PackageResources.carried_client_restore_sql)

  /// The sums of revenue.
  public static let carriedRevenue = SQLFile(
    "carried_revenue", PackageResources.carried_revenue_sql)

  /// The sums of revenue by month, for the whole history.
  public static let carriedMonth = SQLFile(
    "carried_month", PackageResources.carried_month_sql)

  /// The sales, refunds and upgrades, one by one.
  public static let carriedEntry = SQLFile("carried_entry", PackageResources.carried_entry_sql)

  /// The sums of subscriptions by the days on which they begin and end.
  public static let carriedTerm = SQLFile("carried_term", PackageResources.carried_term_sql)

  /// The units by the days on which Apple counts them.
  public static let carriedPacific = SQLFile(
    "carried_pacific", PackageResources.carried_pacific_sql)

  /// The purchases that were not delivered in their month.
  public static let carriedOwed = SQLFile("carried_owed", PackageResources.carried_owed_sql)

  /// The control totals.
  public static let carriedTotal = SQLFile(
    "carried_total", PackageResources.carried_total_sql)

  /// The instants at which only the passing of time changes what is judged.
  public static let carriedDue = SQLFile(
    "carried_due", PackageResources.carried_due_sql)

  /// The number of owed deliveries that were made, by their properties.
  public static let carriedServed = SQLFile(
    "carried_served", PackageResources.carried_served_sql)

  /// The identifiers closest to those that are not in the catalogue; several SQL statements.
  public static let carriedClosest = SQLFile(
    "carried_closest", PackageResources.carried_closest_sql)

  /// Finds the deliveries that are compared with missing deliveries; several SQL statements.
  public static let carriedNearDelivery = SQLFile(
    "carried_near_delivery", PackageResources.carried_near_delivery_sql)

  /// Finds the possible matches of missing deliveries; several SQL statements.
  public static let carriedPossibleMatch = SQLFile(
    "carried_possible_match", PackageResources.carried_possible_match_sql)

  /// Updates the best possible match of each missing delivery.
  public static let carriedNearest = SQLFile(
    "carried_nearest", PackageResources.carried_nearest_sql)

  /// The queries that compute the carried data from what was judged and found.
  public static let carried = [
    carriedMissingDelivery,
    carriedSurplusRestore,
    carriedInvalidSighting,
    carriedSharedFamily,
    carriedClientRestore,
    carriedRevenue,
    carriedMonth,
    carriedEntry,
    carriedTerm,
    carriedPacific,
    carriedOwed,
    carriedTotal,
    carriedDue,
    carriedServed,
  ]
}
