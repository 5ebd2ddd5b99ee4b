extension RecordParser {
  /// Encodes the queue log's entry whose texts are in `columns`; the row is then in `row`.
  func encodeQueueEntry(_ place: RowPlace, in file: FileContext) throws(RecordProblem) {
    let entry = ColumnReader<QueueColumn>(texts: columns, file: file)
    try encodeRow(place, columns: StagedRows.clientTransactionColumns) { () throws(RecordProblem) in
      let state = try Self.state(of: entry)
      let transactionID = try entry.identifier(.transactionID)
      if transactionID == nil, state.equals("purchased") || state.equals("restored") {
        throw .missing(QueueColumn.transactionID.name(in: file))
      }
      row.text(Environment.named(try entry.identifier(.environment)))
      row.text(transactionID)
      row.text(try entry.identifier(.originalTransactionID))
      row.text(try entry.name(.productID))
      row.text(state)
      row.timestamp(try entry.instant(.transactionDate))
      row.text(person(try entry.name(.accountID), in: file, personTexts))
      row.text(person(try entry.name(.deviceID), in: file, personTexts))
      row.text(try entry.label(.appVersion))
    }
  }

  /// Encodes the report of an invalid identifier whose texts are in `columns`; the row is then in
  /// `row`.
  func encodeInvalidProduct(_ place: RowPlace, in file: FileContext) throws(RecordProblem) {
    let report = ColumnReader<InvalidProductColumn>(texts: columns, file: file)
    try encodeRow(place, columns: StagedRows.clientInvalidProductColumns) {
      () throws(RecordProblem) in
      row.text(try report.name(.productID))
      row.timestamp(try report.instant(.reportedAt))
      row.text(try report.label(.appVersion))
      row.text(person(try report.name(.accountID), in: file, personTexts))
      row.text(person(try report.name(.deviceID), in: file, personTexts))
    }
  }

  private static func state(of entry: ColumnReader<QueueColumn>) throws(RecordProblem) -> Bytes {
    guard let text = try entry.present(.state) else {
      throw .missing(QueueColumn.state.name(in: entry.file))
    }
    for known: StaticString in ["purchased", "restored", "failed", "deferred"]
    where text.equals(known) {
      return text
    }
    throw RecordProblem(
      .badState,
      "state is not one of purchased, restored, failed and deferred; write one of them.")
  }
}

extension StagedRows {
  /// The columns of `staging_client_transaction`, in the order in which a row's values are written.
  package static let clientTransactionColumns = [
    "file_id", "line", "content_hash", "environment", "transaction_id",
    "original_transaction_id", "product_id", "state", "occurred_at", "account_id", "device_id",
    "app_version",
  ]
}

extension StagedRows {
  /// The columns of `staging_client_invalid_product`, in the order in which a row's values are
  /// written.
  package static let clientInvalidProductColumns = [
    "file_id", "line", "content_hash", "product_id", "reported_at", "app_version", "account_id",
    "device_id",
  ]
}
