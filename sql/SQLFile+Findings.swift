// What is known of each finding, and what people do with it.
extension SQLFile {
  /// Updates the findings from what tonight found.
  public static let findingsLive = SQLFile("findings_live", PackageResources.findings_live_sql)

  /// Finds the things that resolved findings are about; it runs only if one was resolved.
  public static let findingsThings = SQLFile(
    "findings_things", PackageResources.findings_things_sql)

  /// Finds the names of these things.
  public static let findingsNames = SQLFile("findings_names", PackageResources.findings_names_sql)

  /// Finds tonight's records about the findings that were resolved.
  public static let findingsRecords = SQLFile(
    "findings_records", PackageResources.findings_records_sql)

  /// Finds tonight's reports of Apple and evidence about differences that were resolved.
  public static let findingsApple = SQLFile("findings_apple", PackageResources.findings_apple_sql)

  /// Finds the stale feeds that bring records again.
  public static let findingsFeed = SQLFile("findings_feed", PackageResources.findings_feed_sql)

  /// Selects the records that can be the causes of resolved findings.
  public static let findingsFirstRecord = SQLFile(
    "findings_first_record", PackageResources.findings_first_record_sql)

  /// Finds the refunds that can be the causes of resolved findings.
  public static let findingsRefund = SQLFile(
    "findings_refund", PackageResources.findings_refund_sql)

  /// Finds tonight's catalogue facts and files that can be the causes of resolved findings.
  public static let findingsInputs = SQLFile(
    "findings_inputs", PackageResources.findings_inputs_sql)

  /// Records why findings resolved, with the record that brought it about.
  public static let findingsResolved = SQLFile(
    "findings_resolved", PackageResources.findings_resolved_sql)

  /// Reopens acknowledged findings that must alert again.
  public static let findingsReturned = SQLFile(
    "findings_returned", PackageResources.findings_returned_sql)

  /// Inserts the acknowledgements of tonight's files.
  public static let findingsFileAcknowledgement = SQLFile(
    "findings_file_acknowledgement", PackageResources.findings_file_acknowledgement_sql)

  /// Adds tonight's rejected acknowledgements to the records that could not be used.
  public static let findingsCompared = SQLFile(
    "findings_compared", PackageResources.findings_compared_sql)

  /// The findings that a filter selects.
  public static let findingsList = SQLFile("findings_list", PackageResources.findings_list_sql)

  /// Inserts the counts at the end of a night, with which later nights are compared.
  public static let findingsCount = SQLFile("findings_count", PackageResources.findings_count_sql)

  /// Inserts how the open findings of the run before became those of this run.
  public static let findingsRolled = SQLFile(
    "findings_rolled", PackageResources.findings_rolled_sql)

  /// The number of tonight's findings of each rule.
  public static let findingsByRule = SQLFile(
    "findings_by_rule", PackageResources.findings_by_rule_sql)

  /// The findings that a filter selects, with the texts of a CSV report.
  public static let findingsCSV = SQLFile("findings_csv", PackageResources.findings_csv_sql)

  /// The findings whose names begin like a given one.
  public static let findingsNamed = SQLFile("findings_named", PackageResources.findings_named_sql)

  /// Acknowledges an open finding, or reopens an acknowledged one.
  public static let findingsStatus = SQLFile(
    "findings_status", PackageResources.findings_status_sql)

  /// Inserts the acknowledgement of a finding by a person.
  public static let findingsAcknowledgement = SQLFile(
    "findings_acknowledgement", PackageResources.findings_acknowledgement_sql)

  /// Ends the acknowledgement of a finding.
  public static let findingsEnd = SQLFile("findings_end", PackageResources.findings_end_sql)

  /// Whether a day has passed.
  public static let findingsPassed = SQLFile(
    "findings_passed", PackageResources.findings_passed_sql)

  /// Whether a finding resolved tonight.
  public static let findingsAnyResolved = SQLFile(
    "findings_any_resolved", PackageResources.findings_any_resolved_sql)

  /// The products of a filter that nothing contains.
  public static let findingsUnknownProduct = SQLFile(
    "findings_unknown_product", PackageResources.findings_unknown_product_sql)

  /// All of these files.
  public static let findings = [
    findingsLive, findingsThings, findingsNames, findingsRecords, findingsApple, findingsFeed,
    findingsFirstRecord, findingsRefund, findingsInputs, findingsResolved,
    findingsReturned, findingsFileAcknowledgement, findingsCompared, findingsList, findingsCount,
    findingsRolled,
    findingsByRule, findingsCSV, findingsNamed, findingsStatus, findingsAcknowledgement,
    findingsEnd, findingsUnknownProduct,
    findingsPassed, findingsAnyResolved,
  ]
}
