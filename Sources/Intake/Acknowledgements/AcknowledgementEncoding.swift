extension RecordParser {
  /// Encodes the acknowledgement whose texts are in `columns`; the row is then in `row`.
  ///
  /// Only the night can check whether the finding exists, after it has judged. So the row also
  /// contains the texts that a rejection would show and keep.
  func encodeAcknowledgement(
    _ place: RowPlace, record: Bytes, in file: FileContext
  ) throws(RecordProblem) {
    let acknowledgement = ColumnReader<AcknowledgementColumn>(texts: columns, file: file)
    try encodeRow(place, columns: StagedRows.acknowledgementColumns) { () throws(RecordProblem) in
      row.text(try acknowledgement.identifier(.finding))
      row.timestamp(try acknowledgement.day(.until))
      row.text(try acknowledgement.sentence(.because))
      row.text(try acknowledgement.sentence(.by))
    }
    guard !file.settings.pseudonyms.isHashing else {
      // No part of a record is kept, because it can contain a name.
      write([])
      row.null()
      row.bigint(Int64(record.count))
      return
    }
    let limit = file.settings.rejectionLimitBytes
    let shown = Secrets.hidden(in: record.part(0..<min(record.count, max(limit, 4096))))
    write(Array(RejectedRecord.excerpt(shown).utf8))
    write(Array(shown.prefix(limit)))
    row.bigint(Int64(record.count))
  }

  private func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { row.text($0) }
  }
}

extension ColumnReader<AcknowledgementColumn> {
  /// A text that is more than white space.
  fileprivate func sentence(_ column: AcknowledgementColumn) throws(RecordProblem) -> Bytes? {
    guard let text = try text(column) else { return nil }
    guard text.contains(where: { !$0.isWhiteSpace }) else {
      throw .missing(column.name(in: file))
    }
    return text
  }

  /// A day as YYYY-MM-DD: its midnight UTC, in seconds since 1970.
  fileprivate func day(_ column: AcknowledgementColumn) throws(RecordProblem) -> Int64? {
    guard let text = try present(column) else { return nil }
    guard text.count == 10, let day = Instant.parseDayOrInstant(text) else {
      throw RecordProblem(
        .badDate,
        "\(column.name(in: file)) is not a day; write it as 2026-12-31, or leave it empty.")
    }
    return day
  }
}

extension StagedRows {
  /// The columns of `staging_acknowledgement`, in the order in which a row's values are written.
  package static let acknowledgementColumns = [
    "file_id", "line", "content_hash", "finding", "until_at", "because", "acknowledged_by",
    "excerpt", "raw", "raw_bytes",
  ]
}
