import CopyFormat

extension RecordParser {
  /// Turns one JSON record of a client's log into a row.
  ///
  /// The record is an entry of the app's payment queue or a report of an invalid identifier; its
  /// members show which one it is.
  func parseClientRecord(
    _ record: RawRecord, in file: FileContext, into rows: inout StagedRows
  ) {
    do throws(RecordProblem) {
      let value = try object(of: record, called: "A client's record")
      let place = RowPlace(fileID: file.fileID, line: record.line)
      queueEntry.read(value)
      invalidProduct.read(value)
      if queueEntry.tells(.state) || queueEntry.tells(.transactionDate) {
        try take(queueEntry, in: file)
        try encodeQueueEntry(place, in: file)
        rows.clientTransactions.append(encodedRow: row.bytes)
      } else if invalidProduct.tells(.reportedAt) {
        try take(invalidProduct, in: file)
        try encodeInvalidProduct(place, in: file)
        rows.clientInvalidProducts.append(encodedRow: row.bytes)
      } else {
        try queueEntry.requireSpelling()
        try invalidProduct.requireSpelling()
        throw RecordProblem(
          .missingField,
          "The record has neither state and transaction_date, as an entry of a payment queue, nor "
            + "reported_at, as the report of an invalid identifier; add them.")
      }
      rows.countsInBlock.count(record, .client)
    } catch {
      reject(record, .client, record.explained(error), in: file, &rows)
    }
    json.trim()
  }
}

extension FieldSlots {
  /// Whether a field has a value that is more than an empty text.
  func tells(_ field: Field) -> Bool {
    guard let value = self[field] else { return false }
    return value.string?.isEmpty != true
  }
}
