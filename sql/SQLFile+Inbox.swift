/// The SQL about files, names and receipts: what is read, withdrawn, forgotten or asked about.
extension SQLFile {
  /// The files of the inbox as they were when they were read.
  public static let inboxPath = SQLFile("inbox_path", PackageResources.inbox_path_sql)

  /// The files that ended in a line without a line end.
  public static let inboxOpenLine = SQLFile("inbox_open_line", PackageResources.inbox_open_line_sql)

  /// Whether files of one of the given folders were loaded.
  public static let inboxIsKnown = SQLFile("inbox_is_known", PackageResources.inbox_is_known_sql)

  /// All files of inbox/.
  static let inbox = [
    inboxPath, inboxOpenLine, inboxIsKnown,
  ]

  /// The loaded contents that a path has had.
  public static let withdrawPath = SQLFile("withdraw_path", PackageResources.withdraw_path_sql)

  /// The contents whose SHA-256 begins with given digits.
  public static let withdrawSHA256 = SQLFile(
    "withdraw_sha256", PackageResources.withdraw_sha256_sql)

  /// The lengths of the loaded files from which a file may have grown.
  public static let withdrawLength = SQLFile(
    "withdraw_length", PackageResources.withdraw_length_sql)

  /// The contents that are earlier states of a file.
  public static let withdrawState = SQLFile("withdraw_state", PackageResources.withdraw_state_sql)

  /// Marks a file so that it never counts again.
  public static let withdrawFile = SQLFile("withdraw_file", PackageResources.withdraw_file_sql)

  /// Makes a withdrawn file count again.
  public static let withdrawUndo = SQLFile("withdraw_undo", PackageResources.withdraw_undo_sql)

  /// All withdrawals.
  public static let withdrawList = SQLFile("withdraw_list", PackageResources.withdraw_list_sql)

  /// The number of withdrawn files whose records are still in the tables.
  public static let withdrawStillCounted = SQLFile(
    "withdraw_still_counted", PackageResources.withdraw_still_counted_sql)

  /// The locations in the inbox of withdrawn files.
  public static let withdrawLocation = SQLFile(
    "withdraw_location", PackageResources.withdraw_location_sql)

  /// The records that a file was the first to contain.
  public static let withdrawRecord = SQLFile(
    "withdraw_record", PackageResources.withdraw_record_sql)

  /// Whether the withdrawal of a file needs a rebuild.
  public static let withdrawRebuild = SQLFile(
    "withdraw_rebuild", PackageResources.withdraw_rebuild_sql)

  /// Marks the files of a withdrawn content of which no record was ever used.
  public static let withdrawUnused = SQLFile(
    "withdraw_unused", PackageResources.withdraw_unused_sql)

  /// The closed periods in which the records of a file count.
  public static let withdrawPeriod = SQLFile(
    "withdraw_period", PackageResources.withdraw_period_sql)

  /// Cancels the acknowledgements of a withdrawn file.
  public static let withdrawAcknowledgement = SQLFile(
    "withdraw_acknowledgement", PackageResources.withdraw_acknowledgement_sql)

  /// All files of withdraw/.
  static let withdraw = [
    withdrawPath, withdrawSHA256, withdrawLength, withdrawState, withdrawFile, withdrawUndo,
    withdrawList, withdrawStillCounted, withdrawLocation, withdrawRecord, withdrawRebuild,
    withdrawUnused, withdrawPeriod, withdrawAcknowledgement,
  ]

  /// How the tables keep the names of accounts and devices.
  public static let privacyMode = SQLFile("privacy_mode", PackageResources.privacy_mode_sql)

  /// The forgotten names, as digests, and their tokens.
  public static let privacyForgottenName = SQLFile(
    "privacy_forgotten_name", PackageResources.privacy_forgotten_name_sql)

  /// Records how the tables keep the names of accounts and devices.
  public static let privacyNote = SQLFile("privacy_note", PackageResources.privacy_note_sql)

  /// Makes the planner's statistics again without forgotten names.
  public static let privacyStatistics = SQLFile(
    "privacy_statistics", PackageResources.privacy_statistics_sql)

  /// All files of privacy/.
  static let privacy = [
    privacyMode, privacyForgottenName, privacyNote, privacyStatistics,
  ]

  /// Creates the tables of the names that are forgotten and of their spellings.
  public static let forgetStart = SQLFile("forget_start", PackageResources.forget_start_sql)

  /// Records that a token replaces a name.
  public static let forgetName = SQLFile("forget_name", PackageResources.forget_name_sql)

  /// Adds the token of an account that was forgotten before.
  public static let forgetAgain = SQLFile("forget_again", PackageResources.forget_again_sql)

  /// The paths of files.
  public static let forgetFile = SQLFile("forget_file", PackageResources.forget_file_sql)

  /// The rejected records that contain a name.
  public static let forgetHolding = SQLFile("forget_holding", PackageResources.forget_holding_sql)

  /// The paths of files with rejected records that contain a name.
  public static let forgetRejection = SQLFile(
    "forget_rejection", PackageResources.forget_rejection_sql)

  /// The pieces of evidence that contain a name.
  public static let forgetEvidence = SQLFile(
    "forget_evidence", PackageResources.forget_evidence_sql)

  /// Replaces the names in a piece of evidence.
  public static let forgetEvidenceName = SQLFile(
    "forget_evidence_name", PackageResources.forget_evidence_name_sql)

  /// Gives a piece of evidence the ages of another one that then says the same.
  public static let forgetEvidenceAge = SQLFile(
    "forget_evidence_age", PackageResources.forget_evidence_age_sql)

  /// Deletes a piece of evidence if another one then says the same.
  public static let forgetEvidenceSame = SQLFile(
    "forget_evidence_same", PackageResources.forget_evidence_same_sql)

  /// The delivery records that contain a name.
  public static let forgetDelivery = SQLFile(
    "forget_delivery", PackageResources.forget_delivery_sql)

  /// Replaces the names in a delivery record.
  public static let forgetDeliveryName = SQLFile(
    "forget_delivery_name", PackageResources.forget_delivery_name_sql)

  /// Gives the record of an open line its new hash.
  public static let forgetDeliveryOpen = SQLFile(
    "forget_delivery_open", PackageResources.forget_delivery_open_sql)

  /// Deletes a delivery record if another one then says the same.
  public static let forgetDeliverySame = SQLFile(
    "forget_delivery_same", PackageResources.forget_delivery_same_sql)

  /// The queue entries that contain a name.
  public static let forgetClientTransaction = SQLFile(
    "forget_client_transaction", PackageResources.forget_client_transaction_sql)

  /// Replaces the names in a queue entry.
  public static let forgetClientTransactionName = SQLFile(
    "forget_client_transaction_name", PackageResources.forget_client_transaction_name_sql)

  /// The reports of apps that contain a name.
  public static let forgetClientInvalidProduct = SQLFile(
    "forget_client_invalid_product", PackageResources.forget_client_invalid_product_sql)

  /// Replaces the names in a report of an app.
  public static let forgetClientInvalidProductName = SQLFile(
    "forget_client_invalid_product_name", PackageResources.forget_client_invalid_product_name_sql)

  /// The files of forget/ that replace names in the ledger.
  static let forget = [
    forgetStart, forgetName, forgetAgain, forgetFile, forgetHolding, forgetRejection,
    forgetEvidence, forgetEvidenceName,
    forgetDelivery, forgetDeliveryName, forgetClientTransaction, forgetClientTransactionName,
    forgetClientInvalidProduct, forgetClientInvalidProductName, forgetEvidenceAge,
    forgetEvidenceSame, forgetDeliveryOpen, forgetDeliverySame,
  ]

  /// Creates the tables of the receipts in the inbox and of those that are due.
  public static let refreshStart = SQLFile("refresh_start", PackageResources.refresh_start_sql)

  /// Records that the inbox contains receipts.
  public static let refreshPresented = SQLFile(
    "refresh_presented", PackageResources.refresh_presented_sql)

  /// Lists the receipts that are due.
  public static let refreshDue = SQLFile("refresh_due", PackageResources.refresh_due_sql)

  /// Removes a receipt from those that are due.
  public static let refreshTake = SQLFile("refresh_take", PackageResources.refresh_take_sql)

  /// Records a final answer of Apple.
  public static let refreshAnswer = SQLFile("refresh_answer", PackageResources.refresh_answer_sql)

  /// All files of refresh/.
  static let refresh = [
    refreshStart, refreshPresented, refreshDue, refreshTake, refreshAnswer,
  ]
}
