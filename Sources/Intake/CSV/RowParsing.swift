import CSimdJSON
import CopyFormat

extension RecordParser {
  /// Turns CSV rows into staged rows.
  func parseRows(
    _ bytes: Bytes, firstLine: Int64, header: CSVHeader, in file: FileContext,
    into rows: inout StagedRows
  ) {
    let scanner = header.scanner(limit: file.settings.documentLimitBytes)
    let isText = bytes.isText
    scanner.forEachRecord(in: bytes, firstLine: firstLine) { record, problem in
      let isPassedOver = record.isLast && file.passesOverOpenLine
      guard !isPassedOver, !record.bytes.isBlank(apartFrom: header.separator),
        // Each of the joined files may name the separator.
        CSVHeader.namedSeparator(record.bytes) != header.separator
      else { return }
      func read(showing shown: RawRecord) {
        do throws(RecordProblem) {
          if let problem { throw problem }
          try take(record, scanner.fields, from: bytes, header, isText: isText, in: file)
          try encode(
            header.form, shown, RowPlace(fileID: file.fileID, line: record.line), in: file,
            into: &rows)
          rows.countsInBlock.count(record, header.form.kind)
        } catch {
          reject(shown, header.form.kind, record.explainedRow(error), in: file, &rows)
        }
      }
      guard
        let shown = header.secrets.hidden(
          in: record.bytes, scanner.fields, isBroken: problem != nil, of: bytes)
      else {
        return read(showing: record)
      }
      shown.withUnsafeBufferPointer {
        read(
          showing: RawRecord(
            bytes: $0, line: record.line, isLast: record.isLast, isDocument: record.isDocument))
      }
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
    isText: Bool, in file: FileContext
  ) throws(RecordProblem) {
    let limit = file.settings.documentLimitBytes
    guard record.bytes.count <= limit else { throw .tooLong(record.bytes.count, limit: limit) }
    guard isText || record.bytes.isText else { throw .noText }
    guard fields.count == header.columns.count else {
      throw .fields(fields.count, header: header.columns.count)
    }
    entryTexts.begin(reserving: max(4096, record.bytes.count))
    columns.clear()
    for (index, place) in header.columns.enumerated() {
      guard let place, !fields[index].range.isEmpty else { continue }
      let text = bytes.part(fields[index].range)
      columns[place] = fields[index].hasDoubledQuotes ? entryTexts.keep(unquoting: text) : text
    }
  }

  /// Parses a JSON record, which must be an object; the name is for the reason if it is not.
  func object(of record: RawRecord, called name: String) throws(RecordProblem) -> JSONValue {
    let value = try json.parse(record.bytes)
    guard value.isObject else {
      throw RecordProblem(
        .malformedJSON, "\(name) is a JSON object; this line contains another value.")
    }
    return value
  }

  /// Takes the texts of a JSON record's members.
  func take<Column: RecordColumn>(
    _ slots: FieldSlots<Column>, in file: FileContext
  ) throws(RecordProblem) {
    try slots.requireSpelling()
    entryTexts.begin()
    columns.clear()
    for column in Column.allCases {
      columns[column.place] = try JSONField.text(
        slots[column], column.name(in: file), or: column.isNumber ? .badNumber : .badText,
        entryTexts)
    }
  }

  /// Keeps a record that could not be used, with the reason.
  func reject(
    _ record: RawRecord, _ kind: RejectionKind, _ problem: RecordProblem, in file: FileContext,
    _ rows: inout StagedRows
  ) {
    rows.countsInBlock.count(rejected: kind)
    let rejected = RejectedRecord(
      kind: kind, problem: problem, line: record.line)
    rejected.append(record.bytes, in: file, to: &rows)
  }

  /// Keeps the excerpt of a file that could not be used, with the reason.
  func rejectFile(
    _ bytes: Bytes, _ problem: RecordProblem, in file: FileContext, _ rows: inout StagedRows
  ) {
    rows.countsInBlock.count(rejected: .file)
    let rejected = RejectedRecord(
      kind: .file, problem: problem, line: nil, length: Int64(bytes.count))
    rejected.append(bytes, in: file, to: &rows)
  }
}

extension RawRecord {
  /// The problem of a CSV row; a row that ends with the file may be incomplete.
  func explainedRow(_ problem: RecordProblem) -> RecordProblem {
    guard isLast, problem.reason != .tooLarge else { return problem }
    return RecordProblem(
      .truncated,
      "The file ends in this row without a line end (\(problem.detail)) It is read again when "
        + "the file has grown.")
  }
}

extension RecordProblem {
  /// A record that is not UTF-8 or holds a NUL byte.
  static let noText = RecordProblem(
    .invalidUTF8,
    "The record is not UTF-8 or contains a NUL byte; correct it at the source and send it again.")

  static func malformedCSV(_ why: String) -> RecordProblem {
    RecordProblem(.malformedCSV, "This is not a CSV row: \(why). Quote fields as RFC 4180 says.")
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether this is UTF-8 that PostgreSQL can keep.
  fileprivate var isText: Bool { tieoutIsUTF8(baseAddress, count) && position(of: 0) == nil }

  /// Whether there is only white space and none of it is the separator.
  fileprivate func isBlank(apartFrom separator: UInt8) -> Bool {
    allSatisfy { $0.isWhiteSpace && $0 != separator }
  }
}
