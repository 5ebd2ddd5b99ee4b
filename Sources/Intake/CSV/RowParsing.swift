import CSimdJSON
import CopyFormat

extension RecordParser {
  /// Turns CSV rows into rows.
  func parseRows(
    _ bytes: Bytes, firstLine: Int64, header: CSVHeader, in file: FileContext,
    into rows: inout StagedRows, _ counts: inout FileCounts
  ) {
    let scanner = CSVScanner(
      separator: header.separator, limit: file.settings.documentLimitBytes)
    let isUTF8 = tieoutIsUTF8(bytes.baseAddress, bytes.count)
    var line = firstLine
    var start = 0
    while start < bytes.count {
      let outcome = scanner.scan(bytes, from: start, isFinal: true)
      let end: Int
      switch outcome {
      case .record(let next), .broken(let next, _): end = next
      case .incomplete: end = bytes.count
      }
      let raw = bytes.part(start..<end)
      let isLast = end == bytes.count && raw.last != Byte.lineFeed
      let record = RawRecord(bytes: raw.withoutLineEnd, line: line, isLast: isLast)
      if !record.bytes.isBlank(apartFrom: header.separator) {
        do throws(RecordProblem) {
          if case .broken(_, let why) = outcome { throw .malformedCSV(why) }
          try take(record, scanner.fields, from: bytes, header, isUTF8: isUTF8, in: file)
          try encode(
            header.form, record, RowPlace(fileID: file.fileID, line: line), in: file, into: &rows)
          counts.count(read: header.form.kind)
        } catch {
          reject(record, header.form.kind, record.explainedRow(error), in: file, &rows, &counts)
        }
      }
      line += Int64(raw.occurrences(of: Byte.lineFeed))
      start = end
    }
  }

  private func encode(
    _ form: RecordForm, _ record: RawRecord, _ place: RowPlace, in file: FileContext,
    into rows: inout StagedRows
  ) throws(RecordProblem) {
    switch form {
    case .delivery:
      try encodeDelivery(place, in: file)
      rows.deliveries.append(encodedRow: row.bytes)
    case .queueEntry:
      try encodeQueueEntry(place, in: file)
      rows.clientTransactions.append(encodedRow: row.bytes)
    case .invalidProduct:
      try encodeInvalidProduct(place, in: file)
      rows.clientInvalidProducts.append(encodedRow: row.bytes)
    case .acknowledgement:
      try encodeAcknowledgement(place, record: record.bytes, in: file)
      rows.acknowledgements.append(encodedRow: row.bytes)
    }
  }

  private func take(
    _ record: RawRecord, _ fields: [CSVField], from bytes: Bytes, _ header: CSVHeader,
    isUTF8: Bool, in file: FileContext
  ) throws(RecordProblem) {
    let limit = file.settings.documentLimitBytes
    guard record.bytes.count <= limit else { throw .tooLong(record.bytes.count, limit: limit) }
    guard isUTF8 || tieoutIsUTF8(record.bytes.baseAddress, record.bytes.count) else {
      throw RecordProblem(.invalidUTF8, "The row is not UTF-8; convert the file to UTF-8.")
    }
    guard fields.count == header.columns.count else {
      throw .malformedCSV(
        "the row has \(fields.count) fields, the header \(header.columns.count)")
    }
    entryTexts.begin(reserving: max(4096, record.bytes.count))
    columns.clear()
    for (index, place) in header.columns.enumerated() {
      guard let place, !fields[index].range.isEmpty else { continue }
      let text = bytes.part(fields[index].range)
      columns[place] = fields[index].hasDoubledQuotes ? entryTexts.keep(unquoting: text) : text
    }
  }

  /// Takes the texts of a JSON record's members.
  func take<Column: RecordColumn>(
    _ slots: FieldSlots<Column>, in file: FileContext
  ) throws(RecordProblem) {
    entryTexts.begin()
    columns.clear()
    for column in Column.allCases {
      columns[column.place] = try JSONField.text(
        slots[column], column.name(in: file), or: column.isNumber ? .badNumber : .badText,
        entryTexts)
    }
  }

  /// Keeps what could not be used, with its reason.
  func reject(
    _ record: RawRecord, _ kind: RejectionKind, _ problem: RecordProblem, in file: FileContext,
    _ rows: inout StagedRows, _ counts: inout FileCounts
  ) {
    counts.count(rejected: kind)
    let rejected = RejectedRecord(
      kind: kind, problem: problem, fileID: file.fileID, line: record.line)
    rejected.append(record.bytes, file.settings, to: &rows.rejections)
  }
}

extension RawRecord {
  /// What is wrong with a CSV row; one that ends with the file may only be not yet complete.
  func explainedRow(_ problem: RecordProblem) -> RecordProblem {
    guard isLast, problem.reason != .tooLarge else { return problem }
    return RecordProblem(
      .truncated,
      "The file ends in this row without the end of a line (\(problem.detail)) It is read again when "
        + "the file has grown.")
  }
}

extension RecordProblem {
  static func malformedCSV(_ why: String) -> RecordProblem {
    RecordProblem(.malformedCSV, "This is no CSV row: \(why). Quote fields as RFC 4180 says.")
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether there are only spaces and tabs, none of which separates fields.
  fileprivate func isBlank(apartFrom separator: UInt8) -> Bool {
    allSatisfy { $0.isWhiteSpace && $0 != separator }
  }
}
